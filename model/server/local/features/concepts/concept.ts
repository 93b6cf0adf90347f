/** The concepts that every language has words for. Trained weights depend on the order, so add new ones at the end. */
export const conceptNames = [
  'prepayment',
  'easy_profit',
  'crypto_wallet',
  'urgency',
  'secrecy',
  'money_mule',
  'loan_lottery_prize',
  'fake_documents',
  'counterfeit_stolen',
  'drugs',
  'medicine_without_prescription',
  'weapons',
  'protected_animals',
  'sexual_explicit',
  'sexual_services',
  'threat_violence',
  'weapon_attack',
  'hate_dehumanising',
  'insult',
  'pile_on',
  'self_harm_urge',
  'support_help',
  'credentials',
  'account_closes',
  'run_command',
  'machine_orders',
  'official_impersonation',
  'private_person_data',
  'spam_reach',
  'false_cure',
  'placeholder_text',
  'warning_report',
  'ordinary_trade',
  'ordinary_event',
  'tech_note',
] as const

export type Concept = (typeof conceptNames)[number]

/**
 * Stems and phrases of each concept in one language, separated by commas.
 *
 * A word of four letters or more matches every word that begins with it; a shorter one matches only itself. `$` after a
 * word makes it match only itself, `*` makes a short word match as a stem. Chinese and Japanese entries match anywhere.
 */
export type ConceptWords = Readonly<Record<Concept, string>>
