/** An entry of the log: its position, the token that it got with it, and when. */
export type LogPosition = { position: number; token: number; at: Date }

/** `2s-hx3k1z-mhw0p2c4`: the id of an event. After a failover, token and time tell whether and where a reader resumes. */
export const writeStreamCursor = ({ position, token, at }: LogPosition): string =>
  [position, token, at.getTime()].map((number) => number.toString(36)).join('-')

export function readStreamCursor(text: string): LogPosition | null {
  const match = /^([0-9a-z]{1,10})-([0-9a-z]{1,7})-([0-9a-z]{1,9})$/.exec(text)
  if (!match) return null
  const [position = 0, token = 0, time = 0] = match.slice(1).map((digits) => Number.parseInt(digits, 36))
  return { position, token, at: new Date(time) }
}
