/** Link to the page on which the pass phrase is asked for; it leads back here. */

import { element } from "../dom.js";
import { gettext } from "../translation.js";

export function signInLink() {
  const back = encodeURIComponent(location.pathname + location.search);
  return element("a", { class: "button plain", href: `/sign_in/?next=${back}` }, gettext("Sign in to change things"));
}
