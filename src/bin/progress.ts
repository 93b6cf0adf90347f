/** On a terminal, shows a progress bar with a time estimate. Elsewhere, prints a line every few seconds. */
export function showProgress(label: string, stream: NodeJS.WriteStream = process.stderr) {
  const startedAt = performance.now()
  let shownAt = startedAt
  let isFinished = false
  return (done: number, total: number) => {
    if (isFinished) return
    const now = performance.now()
    const isLast = done >= total
    isFinished = isLast
    if (!isLast && now - shownAt < (stream.isTTY ? 100 : 5_000)) return
    shownAt = now
    const share = total === 0 ? 1 : done / total
    const seconds = (now - startedAt) / 1_000
    const left = share > 0 ? Math.ceil(seconds / share - seconds) : '?'
    const rate = done > seconds ? ` ${Math.round(done / seconds).toLocaleString('en')}/s,` : ''
    const text = `${label} ${done.toLocaleString('en')} of ${total.toLocaleString('en')} (${Math.floor(share * 100)}%),${rate} ${left} s left`
    if (!stream.isTTY) return void stream.write(`${text}\n`)
    const filled = Math.round(share * 24)
    stream.write(`\r[${'█'.repeat(filled)}${'·'.repeat(24 - filled)}] ${text}\x1b[K${isLast ? '\n' : ''}`)
  }
}
