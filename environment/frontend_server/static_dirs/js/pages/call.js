/** /call/NAME/NUMBER/: one call. All of it is on the page already. */

import { pageReady } from "../ready.js";

pageReady("call");
