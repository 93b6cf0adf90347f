import { z } from 'zod'
import { PasskeyRefusal } from './passkey-refusal.ts'

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
const id = base64url(1_400)
const common = { id, rawId: id, type: z.literal('public-key') }
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The data that a browser sends when it creates a passkey. Other fields are ignored. */
const newCredential = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(2_000),
    attestationObject: base64url(8_000),
    transports: z
      .array(z.string().max(40))
      .max(20)
      .default([])
      .transform((given) => transports.filter((known) => given.includes(known))),
  }),
})
export type NewCredential = z.output<typeof newCredential>

/** The data that a browser sends when it signs in with a passkey. */
const usedCredential = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(2_000),
    authenticatorData: base64url(4_000),
    signature: base64url(8_000),
    userHandle: base64url(100),
  }),
})
export type UsedCredential = z.output<typeof usedCredential>

export const readNewCredential = (text: string): NewCredential => read(newCredential, text)
export const readUsedCredential = (text: string): UsedCredential => read(usedCredential, text)

function read<Output>(shape: z.ZodType<Output>, text: string): Output {
  const found = shape.safeParse(parse(text))
  if (!found.success) throw new PasskeyRefusal('unreadable')
  return found.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new PasskeyRefusal('unreadable')
  }
}
