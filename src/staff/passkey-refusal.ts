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

/** Why a passkey was not believed. The kind is for the log; whoever sent it is told nothing of it. */
export class PasskeyRefusal extends Error {
  readonly kind: RefusalKind

  constructor(kind: RefusalKind) {
    super(`a passkey was refused: ${kind}`)
    this.kind = kind
  }
}
