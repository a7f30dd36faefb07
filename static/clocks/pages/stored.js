/**
 * Let Back lead to what a preview stored: `data-leads-to` of the button. The preview answers a form, so a browser could
 * only show it by sending the form again, or as it was.
 */
let leadsTo = '';
addEventListener('submit', ({ submitter }) => {
  leadsTo = submitter?.dataset.leadsTo ?? '';
  if (leadsTo) history.replaceState(null, '', leadsTo);
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && leadsTo) location.replace(leadsTo);
});
