import type { Signals } from './signals.ts'

const posts = 'post|message|text|story|event|ad|title|content|description'
const sample = 'test|dummy|sample|placeholder|example'

const lowQuality: Signals = {
  category: 'low_quality',
  strong: [
    'lorem ipsum',
    'dolor sit amet',
    'test test',
    'testing testing',
    'testing # # #',
    'test please ignore',
    `${posts} please ignore`,
    `insert|put|add|enter|type|write your|the|a? ${posts} here`,
    `your ${posts} here`,
    `placeholder|dummy ${posts}`,
    `${posts} goes here`,
    'quick brown fox jumps',
    'object object',
    'good quality good price|prices',
    'as an ai language model',
    'foo bar baz',
  ],
  weak: [
    'contact|message|call for * details|info|information',
    'item|product|things for sale',
    'good quality|price',
    'join us for an unforgettable experience',
    'that you will not forget',
    'in todays fast|ever|rapidly moving|changing|paced',
    'fast moving|paced|changing world',
    'world of change',
    'change is everywhere',
    'is what matters',
    'game changer',
    'please ignore',
    'stay tuned',
    'todo|tbd|tba|untitled',
  ],
  whole: [
    `foo|bar|foobar|todo|tbd|tba|untitled|null|undefined|nan|testing|tests|${sample}`,
    posts,
    `${sample} ${posts}`,
    `my|a|new|first ${sample} ${posts}`,
    'test|testing # #?',
    'foo bar',
    'this is a? test',
    `this is just|only? a? ${sample} ${posts}`,
  ],
}

export const qualitySignals = [lowQuality]
