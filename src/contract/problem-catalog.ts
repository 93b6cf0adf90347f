import { needsOwner, problemCodes, problems } from './problems.ts'

/** The catalog as data, for /problems/index.json. */
export function problemCatalog(baseUrl: string) {
  return {
    problems: problemCodes.map((code) => ({
      code,
      type: `${baseUrl}/problems/${code}`,
      ...problems[code],
      for_human: needsOwner(code),
    })),
  }
}
