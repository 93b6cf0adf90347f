export type Fault = {
  /** What a caller, reader, owner or operator would notice. */
  says: string
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** The file with a test that finds it. */
  test: string
  /** A part of that test’s name, so that only it runs. Without it, the whole file runs. */
  name?: string
}
