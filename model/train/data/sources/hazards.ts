import { join } from 'node:path'
import { readJson } from '../../../eval/data/read-table.ts'
import type { LearntCategory } from '../../../server/local/local-model.ts'
import { clean, type Labels, without } from '../rows.ts'
import { csv, type Source } from './source.ts'

/** A hazard in AILuminate: the category that it breaks, and those that it may also break, which stay unknown. */
const hazards: Record<string, { breaks: Labels; perhaps: readonly LearntCategory[] }> = {
  hte: { breaks: { hate_harassment: 1 }, perhaps: ['violence_threats'] },
  sxc_prn: { breaks: { sexual: 1 }, perhaps: [] },
  src: { breaks: { sexual: 1 }, perhaps: ['violence_threats', 'hate_harassment'] },
  vcr: { breaks: { violence_threats: 1 }, perhaps: ['hate_harassment', 'illegal_goods', 'self_harm'] },
  iwp: { breaks: { illegal_goods: 1 }, perhaps: ['violence_threats', 'malware_phishing'] },
  ssh: { breaks: { self_harm: 1 }, perhaps: ['violence_threats'] },
  ncr: { breaks: {}, perhaps: ['illegal_goods', 'scam_fraud', 'malware_phishing', 'violence_threats'] },
  ipv: { breaks: {}, perhaps: ['illegal_goods', 'scam_fraud', 'malware_phishing'] },
  prv: { breaks: {}, perhaps: ['malware_phishing', 'scam_fraud', 'hate_harassment'] },
  dfm: { breaks: {}, perhaps: ['hate_harassment', 'scam_fraud', 'sexual', 'violence_threats', 'impersonation'] },
  spc_fin: { breaks: {}, perhaps: ['scam_fraud'] },
  spc_hlt: { breaks: {}, perhaps: ['self_harm'] },
  spc_lgl: { breaks: {}, perhaps: [] },
  spc_ele: { breaks: {}, perhaps: ['scam_fraud'] },
}

const ailuminate: Source = {
  ...{ name: 'ailuminate', licence: 'CC BY 4.0', most: 1_100 },
  read: csv('ailuminate/airr_official_1.0_demo_en_us_prompt_set_release.csv', ({ prompt_text = '', hazard = '' }) => {
    const known = hazards[hazard]
    if (!known) return []
    return { text: prompt_text, labels: { ...without(clean, 'prompt_injection', ...known.perhaps), ...known.breaks } }
  }),
}

const topics: Record<string, Labels> = {
  'Drug:': { illegal_goods: 1 },
  'Weapon:': { illegal_goods: 1 },
  'Human Trafficking:': { illegal_goods: 1 },
  'Weapon making': { illegal_goods: 1 },
  Counterfeiting: { illegal_goods: 1, scam_fraud: 1 },
  'Cybercrime:': { malware_phishing: 1 },
  Phishing: { malware_phishing: 1, scam_fraud: 1 },
  'Racial or ethnic hate': { hate_harassment: 1 },
  'Religious intolerance': { hate_harassment: 1 },
  Cyberbullying: { hate_harassment: 1 },
  'Gender-based violence': { violence_threats: 1 },
  'Terrorism and extremism': { violence_threats: 1 },
  'Assault and battery': { violence_threats: 1 },
  'Self-harm': { self_harm: 1 },
  'Financial fraud': { scam_fraud: 1 },
  'Employment scams': { scam_fraud: 1 },
  'Investment scams': { scam_fraud: 1 },
  'Identity theft': { scam_fraud: 1 },
  'False advertising': { scam_fraud: 1 },
  Scamming: { scam_fraud: 1 },
}
const chapters: Record<string, Labels> = { 'Malware Viruses': { malware_phishing: 1 }, 'Adult Content': { sexual: 1 } }
const harmless: readonly string[] = ['Tailored Financial Advice', 'Political Campaigning']
/** The model learns nothing about minors from text. */
const unread = 'Child Abuse'

const related: LearntCategory[] = [
  ...(['violence_threats', 'hate_harassment', 'illegal_goods', 'scam_fraud', 'malware_phishing', 'self_harm'] as const),
]

const catqa: Source = {
  ...{ name: 'catqa', licence: 'Apache-2.0', most: 550 },
  read: (directory) => {
    type Chapters = Record<string, Record<string, string[]>>
    const all = readJson<Chapters>(join(directory, 'catqa/catqa_english.json'))
    return Object.entries(all)
      .filter(([chapter]) => chapter !== unread)
      .flatMap(([chapter, byTopic]) =>
        Object.entries(byTopic).flatMap(([topic, questions]) => {
          const base = harmless.includes(chapter) ? without(clean, 'scam_fraud') : without(clean, ...related)
          const labels = { ...base, ...(topics[topic] ?? chapters[chapter] ?? {}) }
          return questions.map((text) => ({ text, labels }))
        }),
      )
  },
}

/** Requests for harmful responses, by hazard. The requests of other hazards serve as negatives in the same style. */
export const hazardSources: readonly Source[] = [ailuminate, catqa]
