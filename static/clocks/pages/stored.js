/**
 * Make Back lead to the page of what a preview has stored: its URL is `data-leads-to` of the button. The preview is the
 * response to a form, so the browser could only submit the form again, or show the preview as it was.
 */
let leadsTo = '';
addEventListener('submit', ({ submitter }) => {
  leadsTo = submitter?.dataset.leadsTo ?? '';
  if (leadsTo) history.replaceState(null, '', leadsTo);
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && leadsTo) location.replace(leadsTo);
});
