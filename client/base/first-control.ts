/** What takes the keyboard. Of tabs only the one that is chosen: another would be chosen by getting it. */
const controls =
  'a[href], button:not(:disabled, [role=tab], [tabindex="-1"]), input:not(:disabled), [role=tab][aria-selected=true]:not(:disabled)'

/** The first thing in a part of the page that takes the keyboard and is seen. */
export function firstControl(area: Element): HTMLElement | undefined {
  return [...area.querySelectorAll<HTMLElement>(controls)].find((element) => element.checkVisibility())
}
