/** What eslint checks in the scripts of pages, besides what tsc does. */

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["static_dirs/js/**/*.js"],
    languageOptions: {
      ecmaVersion: 2024,
      sourceType: "module",
      globals: { ...globals.browser, Phaser: "readonly" },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      camelcase: ["error", { properties: "never", ignoreDestructuring: true }], // data has the names of the server
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-lonely-if": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-unneeded-ternary": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 50],
      "max-params": ["error", 4],
    },
  },
];
