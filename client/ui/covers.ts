/** What lies over the page, or over a part of it, and closes by Escape. */
export const covers = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-state="open"]`)
  .join()
