/** All that runs in the browser: a button that copies what stands in the field beside it. Without it, the field is selected by hand. */
export const script = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copies)
    field.select()
    await navigator.clipboard.writeText(field.value)
    button.textContent = 'Copied'
  })
}
`
