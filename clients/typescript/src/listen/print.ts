import type { WebhookEvent } from '../verify.ts'
import type { Refused } from './receiver.ts'

/** Control characters, formatting characters and line breaks, which could change what the terminal shows. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu

/** The text without characters that a terminal would interpret. */
export const printable = (text: string) => text.replaceAll(unprintable, '')

/** Longer fields are cut, so that an event stays on one line. */
const maxFieldLength = 200
const field = (value: string) => printable(value.slice(0, maxFieldLength))

export type Received = { event: WebhookEvent; isRepeat: boolean; at: Date }

/** One line for a person: time, type, post and outcome. */
export function eventLine({ event, isRepeat, at }: Received): string {
  const data = (event.data ?? {}) as Record<string, unknown>
  const facts = [data['id'], data['endpoint_id'], data['status'], data['url']].filter(
    (fact) => typeof fact === 'string',
  )
  const mark = isRepeat ? ['(repeat)'] : []
  return [time(at), ...[event.type, event.id, ...facts].map(field), ...mark].join('  ')
}

/** One line for a program. Characters that a terminal would interpret are escaped, not removed. */
export function jsonLine({ event, isRepeat, at }: Received): string {
  const text = JSON.stringify({ ...event, is_repeat: isRepeat, received_at: at.toISOString() })
  return text.replaceAll(unprintable, (character) => character.split('').map(escaped).join(''))
}

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

export const refusalLine = ({ status, reason, advice }: Refused, at: Date) =>
  `${time(at)}  rejected (${status} ${reason})  ${advice}`

const time = (at: Date) => `${at.toISOString().slice(11, 19)}Z`
