/** What scripts of pages find around them, besides what browsers have. Only tsc reads this file. */

import type {} from "phaser";

declare global {
  /** Phaser takes canvases for pictures, which its own types do not say. */
  namespace Phaser.Textures {
    interface TextureManager {
      addImage(key: string, source: HTMLCanvasElement): Phaser.Textures.Texture | null;
      addSpriteSheet(key: string, source: HTMLCanvasElement, config: Phaser.Types.Textures.SpriteSheetConfig): Phaser.Textures.Texture | null;
    }
  }

  /** The catalogues that Django serves below /jsi18n/; missing if it could not be loaded. */
  var django: { catalog: Record<string, unknown>; gettext(text: string): string; ngettext(one: string, many: string, count: number): string } | undefined;

  /** Translations that a shared file carries, by language: a text, or its forms and which of them each number takes. */
  var villeWords: Record<string, Record<string, string | { forms: string[]; takes: string }>>;

  interface Window {
    /** What each page shows of itself to tests and to the console; `any`, because no script of ours relies on it. */
    ville: Record<string, any>;
  }

  /** All elements of our templates are HTML, but for drawings, whose scripts say so. */
  interface ParentNode {
    querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
    querySelector(selectors: string): HTMLElement | null;
    querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
    querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
    readonly children: HTMLCollectionOf<HTMLElement>;
  }

  interface Element {
    closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
    closest(selectors: string): HTMLElement | null;
  }
}
