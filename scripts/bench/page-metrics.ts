/** What the worker has counted so far: publications, files and seconds of all its work on pages. */
export async function readPageMetrics(url: string) {
  const text = await (await fetch(url)).text()
  const sum = (name: string, label = '') =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(label))
      .reduce((total, line) => total + Number(line.split(' ')[1]), 0)
  return {
    publications: sum('pages_seconds_count', 'work="publish-post"'),
    files: sum('pages_files_total'),
    seconds: sum('pages_seconds_sum'),
  }
}
