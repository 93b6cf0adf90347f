import type { Signals } from './signals.ts'

const groups = 'people|immigrants|migrants|foreigners|refugees|muslims|jews|christians|gays|women|blacks|gypsies'
const contempt = 'vermin|subhuman|subhumans|parasites|cockroaches|filth|scum|animals'

const hateHarassment: Signals = {
  category: 'hate_harassment',
  strong: [
    `${groups} ** are ${contempt}`,
    'they|them|you are * vermin|subhuman|subhumans|filth|scum',
    'youre worthless|subhuman|scum|filth|vermin',
    'not|arent even? human to us',
    'less than human',
    'not want your sort|kind|type',
    'your sort|kind is|are not welcome|wanted',
    `no ${groups} allowed|please|welcome|wanted|need`,
    'drive|chase|throw|kick the|these|those ** out of our|this district|town|country|village|city|neighbourhood',
    'go back to your country',
    'go back to where you came from',
    `gas|exterminate|sterilise|lynch the|all ${groups}`,
    'tell|telling|show him|her|them * he|she|they is|are worthless|nothing|trash|garbage',
    'keep at it until * quits|leaves|cracks|breaks|cries',
    'message|write|call ** until he|she|they quits|quit|leaves|leave',
    'make|making his|her|their life hell|miserable|unbearable',
    'too stupid|dumb|primitive to vote|work|code|drive|think|learn',
    'faggots|kikes|niggers|trannies|ragheads|wetbacks',
  ],
  weak: [
    'vermin|subhuman|subhumans|scum|filth|parasites|cockroaches',
    'worthless|pathetic|disgusting|inferior',
    'need not ask|apply|bother',
    'your kind|sort',
    'get out of our country|town|village|city',
    'waste of space|air|oxygen|skin',
    'humiliate|mock|shame|bully him|her|them',
    'pile on',
    'master race',
    'hate|despise all|these|those|every',
    'retard|retards|retarded|faggot|tranny',
    'clean again',
  ],
}

const explicit = 'explicit|nude|naked|uncensored|xxx'
const pictures = 'video|videos|pics|pictures|photos|clips|content'

const sexual: Signals = {
  category: 'sexual',
  strong: [
    'prices|price|rates by the act',
    'every|any|all wish|wishes|fantasy|fantasies fulfilled|granted|satisfied',
    `sell|selling|buy|trade|offer nudes|${explicit}`,
    `${explicit} ${pictures} of me|myself|girls|women|exes|partners|former|ex|my`,
    'explicit|hardcore|uncensored|xxx * pack|scenes|menu|version|collection',
    'send|trade nudes',
    'sexual|erotic|intimate services|service|favours|favors|massage',
    'sensual|tantric * massage',
    'massage ** happy ending',
    'escort service|services|agency|girl|girls',
    'incall|outcall|callgirl|callgirls',
    'casual|rough|paid|group sex',
    'sex for|against money|cash|rent',
    'horny * tonight|now|alone|me|you|singles|girls',
    'blowjob|blowjobs|handjob|cumshot|gangbang',
    'fuck me|you|her|him hard|tonight',
  ],
  weak: [
    'explicit|uncensored|hardcore|xxx|nsfw',
    'nude|naked|nudes|topless',
    'sensual|erotic|kinky|fetish',
    'evening|private|discreet company|companion|companionship|meetings',
    'free preview',
    'price list',
    'thrust|thrusts|moaned|moaning|orgasm|aroused|arouse',
    'sex|sexual',
    'onlyfans|camgirl',
    'no strings',
    'adults only',
    'how you got them',
    'horny',
  ],
}

/** The rest of this category is a rule: a sexual signal with a word for minors near it. */
const sexualMinors: Signals = {
  category: 'sexual_minors',
  strong: [
    'sexy|nude|nudes|erotic|sexual * schoolgirl|schoolgirls|schoolboy|schoolboys|preteen|preteens|underage',
    'trade|sell|share|buy child|preteen|underage pics|pictures|photos|porn|content|videos|material',
  ],
  weak: [],
}

export const peopleSignals = [hateHarassment, sexual, sexualMinors]
