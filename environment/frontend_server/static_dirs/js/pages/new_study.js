/** /new_study/: the form of a new study. */

import { pageData } from "../dom.js";
import { pageReady } from "../ready.js";
import { StudyForm } from "../study/study_form.js";
/** @import { NewStudyPage } from "../study/study_form.js" */

/** @type {NewStudyPage} */
const page = pageData();
await new StudyForm(document.querySelector("[data-part=form]"), page).open();
pageReady("new_study");
