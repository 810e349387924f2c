// Keep in step with app/theme.ts, which takes over once the app runs.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('balcao.theme')
  } catch (_) {
    // Storage refused: follow the system.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  var meta = document.querySelector('meta[name="theme-color"]')
  if (meta) meta.setAttribute('content', dark ? '#15191c' : '#f7f9fa')
})()
