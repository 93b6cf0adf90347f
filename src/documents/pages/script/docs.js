// Copy buttons, one choice of language for all examples, and search. The pages work without this file.

/** @param {string} name @param {Record<string, string>} attributes */
const element = (name, attributes, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

// Copy buttons. The style sheet draws their words, so that the text of the page stays the same.
if (navigator.clipboard)
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', class: 'copy', 'aria-label': 'Copy' })
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('pre').textContent)
      button.setAttribute('aria-label', 'Copied')
      setTimeout(() => button.setAttribute('aria-label', 'Copy'), 2000)
    })
    block.append(button)
  }

// The language. A browser may refuse to store it.
const stored = (change) => {
  try {
    return change(localStorage)
  } catch {
    return null
  }
}
const choose = (language) => {
  for (const input of document.querySelectorAll('.tabs > input')) if (input.value === language) input.checked = true
}
const known = stored((storage) => storage.getItem('docs-language'))
if (known) choose(known)
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs > input')) return
  // Examples above may become taller or shorter: the chosen one stays where it is.
  const before = target.parentElement.getBoundingClientRect().top
  choose(target.value)
  scrollBy(0, target.parentElement.getBoundingClientRect().top - before)
  stored((storage) => storage.setItem('docs-language', target.value))
})

// Search.
const slot = document.querySelector('.docs-search')
if (slot) {
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search the documentation',
    placeholder: 'Search the docs',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '100',
  })
  const status = element('p', { role: 'status' })
  const list = element('ul', {})
  const results = element('div', { class: 'found' }, status, list)
  results.hidden = true
  slot.append(element('search', {}, input, results))

  let index
  const load = async () => {
    index ??= fetch(slot.dataset.index).then((response) => response.json())
    return (await index).entries
  }
  input.addEventListener('focus', () => load().catch(() => {}), { once: true })

  const wordsOf = (text) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
  /** Every word must occur. The start of a word in the title counts most. */
  const rank = ({ title, part, text }, words) => {
    const fields = [
      [wordsOf(title), 8],
      [wordsOf(part), 3],
      [wordsOf(text), 1],
    ]
    let sum = 0
    for (const word of words) {
      const best = Math.max(
        ...fields.map(([own, weight]) =>
          own.includes(word) ? 2 * weight : own.some((one) => one.startsWith(word)) ? weight : 0,
        ),
      )
      if (best === 0) return 0
      sum += best
    }
    return sum
  }

  const show = async () => {
    const words = wordsOf(input.value)
    results.hidden = words.length === 0
    if (words.length === 0) return list.replaceChildren()
    const entries = await load().catch(() => null)
    if (words.join() !== wordsOf(input.value).join()) return
    const found = (entries ?? [])
      .map((entry) => ({ entry, score: rank(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 8)
    const count = found.length === 1 ? '1 result' : `${found.length || 'No'} results`
    status.textContent = entries ? count : 'Search is not available right now.'
    list.replaceChildren(
      ...found.map(({ entry: { title, part, href, text } }) =>
        element('li', {}, element('a', { href }, element('strong', {}, title), ` ${part}`, element('span', {}, text))),
      ),
    )
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') list.querySelector('a')?.click()
  })
  slot.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = ''
      input.focus()
      show()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const stops = [input, ...list.querySelectorAll('a')]
    const next = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)
    if (stops[next]) {
      event.preventDefault()
      stops[next].focus()
    }
  })
  list.addEventListener('click', () => {
    results.hidden = true
  })
  for (const left of ['focusin', 'pointerdown'])
    document.addEventListener(left, ({ target }) => {
      if (!slot.contains(target)) results.hidden = true
    })
  input.addEventListener('focus', () => {
    results.hidden = input.value.trim() === ''
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea'))
      return
    event.preventDefault()
    input.focus()
  })
}
