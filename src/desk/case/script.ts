/** How often the case page renews its claim, and how long after the last input it stops. */
const renewEveryMs = 45_000
const idleMs = 15 * 60_000
/** No one can read a case this quickly: earlier key presses and taps were meant for the previous case. */
const restMs = 500

/**
 * Keyboard shortcuts. A key clicks the visible element with that `data-key`, in the open dialog or else in the page.
 * Therefore every shortcut has a visible control, and a hidden or missing control has no shortcut.
 */
export const caseScript = `
const openDialog = () => document.querySelector('dialog:popover-open')
const isTyping = (target) => target.closest?.('input:not([type=checkbox]), textarea, select')
// Non-Latin layouts are read by key position. Some layouts need Shift for digits.
const digitOf = ({ code }) => /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]
const letterOf = ({ key, code }) => (/^[!-~]$/.test(key) ? key.toLowerCase() : code.replace('Key', '').toLowerCase())
let goes = false
let isSent = false
const html = document.documentElement
const bars = '.verdicts, .chooser:not(#help)'

if (document.querySelector('.verdicts')) {
  html.dataset.rests = ''
  addEventListener('pageshow', () => setTimeout(() => delete html.dataset.rests, ${restMs}))
}
// Shortcuts and the Enter key also cause click events.
document.addEventListener('click', (event) => {
  if (!('rests' in html.dataset) || !event.target.closest?.(bars)) return
  event.preventDefault()
  event.stopPropagation()
}, true)

const remember = (selector, name) => {
  const box = document.querySelector(selector)
  if (!box) return
  box.checked = (sessionStorage.getItem(name) ?? (box.checked ? 'on' : 'off')) === 'on'
  box.addEventListener('change', () => sessionStorage.setItem(name, box.checked ? 'on' : 'off'))
}
remember('input.blur', 'blur')
remember('input.letters', 'letters')
// Reads the stored setting, because not every page has the checkbox.
const areOff = () => sessionStorage.getItem('letters') === 'off'

document.addEventListener('keydown', (event) => {
  const { ctrlKey, altKey, metaKey, shiftKey, repeat, target, isComposing } = event
  if (ctrlKey || altKey || metaKey || repeat || isComposing || isTyping(target) || areOff()) return
  const digit = event.key === '?' ? undefined : digitOf(event)
  const letter = digit ?? letterOf(event)
  if (shiftKey && letter !== '?' && !digit) return
  if (goes && letter === 'q') return location.assign('/')
  goes = letter === 'g' && !openDialog()
  const found = [...(openDialog() ?? document).querySelectorAll('[data-key]')].find(
    (one) => one.dataset.key === letter && one.checkVisibility(),
  )
  if (!found) return
  event.preventDefault()
  found.click()
})

// Each page sends one form. Further presses are ignored.
document.addEventListener('submit', (event) => {
  if (!document.querySelector('.verdicts, .undo, .start')) return
  if (isSent) return event.preventDefault()
  isSent = true
  html.dataset.sent = ''
})
addEventListener('pageshow', () => {
  isSent = false
  delete html.dataset.sent
})

// The text is hidden until now, so that it does not flash before it is blurred.
html.dataset.ready = ''

const undoable = [...document.querySelectorAll('.undo [data-seconds]')]
const countDown = () => {
  const passed = Math.floor(performance.now() / 1000)
  for (const item of undoable) {
    const left = Math.max(0, item.dataset.seconds - passed)
    item.querySelector('.left').textContent = left > 0 ? left + ' s' : ''
    item.classList.toggle('over', left === 0)
  }
  if (undoable.some((item) => !item.classList.contains('over'))) setTimeout(countDown, 250)
}
if (undoable.length > 0) countDown()

const held = document.querySelector('[data-renew]')
if (held) {
  let touched = performance.now()
  for (const name of ['keydown', 'pointermove', 'pointerdown', 'scroll'])
    addEventListener(name, () => (touched = performance.now()), { passive: true })
  const renew = async () => {
    if (document.hidden || isSent || performance.now() - touched > ${idleMs}) return
    const body = new URLSearchParams({ csrf: held.querySelector('[name=csrf]').value })
    // A network error or an unavailable desk does not mean that the claim is lost.
    const answer = await window.fetch(held.dataset.renew, { method: 'POST', body }).catch(() => null)
    const says = { 401: '.signed-out', 403: '.signed-out', 404: '.lost', 409: '.lost' }[answer?.status]
    if (!says || isSent) return
    openDialog()?.hidePopover()
    held.querySelector('.held').hidden = true
    held.querySelector(says).hidden = false
    clearInterval(renewing)
  }
  const renewing = setInterval(renew, ${renewEveryMs})
  document.addEventListener('visibilitychange', renew)
}
`
