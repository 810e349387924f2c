/**
 * Calls `then` when another worker has taken over a page that had one. The very first takes over a page that is of its
 * own version; WebKit says so after the page has seen it already.
 */
export function whenReplaced(
  container: Pick<ServiceWorkerContainer, 'controller' | 'addEventListener'>,
  then: () => void,
): void {
  let known = container.controller
  container.addEventListener('controllerchange', () => {
    const before = known
    known = container.controller
    if (before !== null && before !== known) then()
  })
}
