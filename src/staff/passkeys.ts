import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import {
  COSEALG,
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
  isoUint8Array,
} from '@simplewebauthn/server/helpers'
import { isChallenge, makeChallenge, type Purpose, type Secrets } from './challenge.ts'
import type { NewCredential, UsedCredential } from './credential.ts'
import { PasskeyRefusal } from './passkey-refusal.ts'

/** The desk's secrets and URL. Passkeys work only at the desk's origin. */
export type PasskeyContext = { deskSecrets: Secrets; deskUrl: string }

/** Long enough to fetch a phone. The page reloads earlier, so that the challenge outlives the prompt. */
const timeoutMs = 120_000
// Listed explicitly, because the library's defaults depend on the Node.js version.
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

type Member = { id: string; name: string; email: string; passkeys: readonly { id: string; transports: string[] }[] }

/** The options for creating a passkey, as JSON for the browser. */
export async function askForNewPasskey(
  { deskSecrets, deskUrl }: PasskeyContext,
  member: Member,
  at: Date,
): Promise<string> {
  const options = await generateRegistrationOptions({
    rpName: 'Broadside desk',
    rpID: new URL(deskUrl).hostname,
    userID: isoUint8Array.fromUTF8String(member.id),
    userName: member.email,
    userDisplayName: member.name,
    challenge: makeChallenge(deskSecrets, { purpose: `join:${member.id}`, at }),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: [...member.passkeys],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return JSON.stringify(options)
}

/** The options for signing in, as JSON for the browser. They name no one: the passkey identifies the member. */
export async function askForPasskey({ deskSecrets, deskUrl }: PasskeyContext, at: Date): Promise<string> {
  const options = await generateAuthenticationOptions({
    rpID: new URL(deskUrl).hostname,
    challenge: makeChallenge(deskSecrets, { purpose: 'sign-in', at }),
    timeout: timeoutMs,
    userVerification: 'required',
  })
  return JSON.stringify(options)
}

type Expected = { staffId: string; at: Date }

/** Verifies a new passkey that a person has just unlocked, for the member that the link was emailed to. */
export async function verifyNewPasskey(place: PasskeyContext, sent: NewCredential, { staffId, at }: Expected) {
  const challenge = challengeIn(place, sent, { purpose: `join:${staffId}`, at })
  const { registrationInfo } = await believe(() => {
    assertUncertified(sent)
    return verifyRegistrationResponse({
      ...expectedAt(place, challenge),
      response: { ...sent, clientExtensionResults: {} },
      supportedAlgorithmIDs: algorithms,
    })
  })
  if (!registrationInfo) throw new PasskeyRefusal('not_verified')
  const { id, publicKey, counter } = registrationInfo.credential
  return { challenge, id, publicKey: Buffer.from(publicKey), counter, transports: sent.response.transports }
}

/**
 * Rejects attestation certificates. We request none, and to verify one the library would fetch a revocation list from a
 * URL in the certificate.
 */
function assertUncertified({ response }: NewCredential): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const isItsOwn = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isItsOwn) throw new PasskeyRefusal('certified')
}

type Stored = { id: string; staffId: string; publicKey: Buffer }

/** Verifies a sign-in with a stored passkey that a person has just unlocked. */
export async function verifyPasskey(
  place: PasskeyContext,
  sent: UsedCredential,
  { stored, at }: { stored: Stored; at: Date },
) {
  const challenge = challengeIn(place, sent, { purpose: 'sign-in', at })
  if (isoBase64URL.toUTF8String(sent.response.userHandle) !== stored.staffId) throw new PasskeyRefusal('not_verified')
  const { verified, authenticationInfo } = await believe(() =>
    verifyAuthenticationResponse({
      ...expectedAt(place, challenge),
      response: { ...sent, clientExtensionResults: {} },
      // The database checks whether the counter decreased, so that two concurrent sign-ins cannot both succeed.
      credential: { id: stored.id, publicKey: Uint8Array.from(stored.publicKey), counter: 0 },
    }),
  )
  if (!verified) throw new PasskeyRefusal('not_verified')
  return { challenge, counter: authenticationInfo.newCounter }
}

/** The signed challenge, if we issued it for this purpose and it has not expired. */
function challengeIn(
  { deskSecrets }: PasskeyContext,
  { response }: SentData,
  asked: { purpose: Purpose; at: Date },
): string {
  const { challenge, crossOrigin } = readClientData(response.clientDataJSON)
  // The page is never embedded, so a cross-origin flag means that the person saw another page.
  if (crossOrigin || !isChallenge(deskSecrets, challenge, asked)) throw new PasskeyRefusal('wrong_challenge')
  return challenge
}

type SentData = { response: { clientDataJSON: string } }

function readClientData(text: string): { challenge: string; crossOrigin: boolean } {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(text)
    return { challenge: isoBase64URL.toUTF8String(challenge), crossOrigin: Boolean(crossOrigin) }
  } catch {
    throw new PasskeyRefusal('unreadable')
  }
}

const expectedAt = ({ deskUrl }: PasskeyContext, challenge: string) => ({
  expectedChallenge: isoBase64URL.fromUTF8String(challenge),
  expectedOrigin: new URL(deskUrl).origin,
  expectedRPID: new URL(deskUrl).hostname,
  requireUserVerification: true,
})

/** Replaces the library's errors, because their messages contain the data that was sent. */
async function believe<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw error instanceof PasskeyRefusal ? error : new PasskeyRefusal('not_verified')
  }
}
