type RefusalKind =
  | 'unreadable'
  | 'wrong_challenge'
  | 'spent_challenge'
  | 'unknown_passkey'
  | 'not_verified'
  | 'certified'
  | 'counter_went_back'
  | 'known_already'
  | 'link_over'

/** Why a passkey was rejected. The kind is only logged and never shown to the sender. */
export class PasskeyRefusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind) {
    super(`passkey rejected: ${kind}`)
    this.kind = kind
  }
}
