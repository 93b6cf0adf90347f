declare module 'spdx-satisfies' {
  /** Whether an SPDX expression is satisfied by a list of licences. Throws if the expression is not valid. */
  export default function satisfies(expression: string, allowed: readonly string[]): boolean
}
