/** An object of JSON, whatever it has. */
export type Members = Record<string, unknown>

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
