type Failure = { name: string; file: string; error: unknown }

/** The commands that repeat a failed test. A test that ran pytest also names the Python tests that failed. */
export function repeatCommands({ name, file, error }: Failure): string[] {
  const command = `npm test -- ${file}`
  // A file that failed outside its tests, or before them, has no name of a test.
  const one =
    name === file || name.endsWith('.test.ts') ? command : `${command} --test-name-pattern '${patternOf(name)}'`
  return [one, ...pythonTests(error).map((id) => `cd clients/python && /usr/bin/python3 -m pytest '${id}'`)]
}

/** A regular expression that matches the name and survives every shell: a dot stands for anything unusual. */
const patternOf = (name: string) => `^${name.replaceAll(/[^\p{L}\p{N} ,:;%=@_-]/gu, '.')}$`

/** The Python tests that pytest lists at its end: `FAILED tests/test_page.py::test_name - AssertionError`. */
function pythonTests(error: unknown): string[] {
  const found = outputsOf(error).flatMap((text) => [...text.matchAll(/^(?:FAILED|ERROR) (tests\/.+?)(?: - .*)?$/gm)])
  return [...new Set(found.map(([, id = '']) => id))]
}

/** What the program printed whose failure this is: in the message, or beside it. */
function outputsOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { message, stdout, stderr, cause } = error as Record<string, unknown>
  const own = [message, stdout, stderr].filter((text) => typeof text === 'string')
  return [...own, ...(cause === error ? [] : outputsOf(cause))]
}
