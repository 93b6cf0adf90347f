import type { Signals } from './signals.ts'

const readers = 'agents|assistants|models|bots|llms|ais|crawlers'
const orders = 'instruction|instructions|prompt|prompts|rules|directions|guidelines|directives'
const ignore = 'ignore|disregard|forget|override|discard'
const approval = 'accept|accepted|approve|approved|publish|published|allow|allowed|safe'

const promptInjection: Signals = {
  category: 'prompt_injection',
  strong: [
    `${ignore} * previous|prior|earlier|above|preceding|former|system ${orders}`,
    `${ignore} all|any|every|your ${orders}`,
    `${ignore} everything|all|anything above|before`,
    'you are now in service|developer|admin|debug|maintenance|unrestricted|god mode',
    'developer|debug|god|jailbreak|maintenance|service mode enabled|activated|on',
    `note|message|instruction|instructions|notice|attention|order to|for all|any|the? assistant|model|ai|${readers}`,
    `${readers} that|who|which read|reads|see|process this must|should|have|shall|will`,
    'moderator|moderation|judge|safety|filter model|ai|llm|bot this|the|you|answer|accept|approve|must|treat',
    'approved|preapproved|cleared by a|the|our? person|human|moderator|staff ** answer|skip|publish|accept',
    `answer|respond|reply|output|return|print with|only|just|exactly? ${approval}`,
    'skip|bypass|suspend all|any|the|your * check|checks|moderation|filters|review',
    'policy|moderation|filters is|are? suspended|disabled|lifted',
    `verdict|decision|flagged ${approval}|false`,
    `mark|classify|label|treat|rate this * as ${approval}|harmless|clean`,
    'not|dont ask|tell|inform|notify your user|owner|human|operator',
    'reveal|print|show|repeat|output|leak your|the system|hidden|initial|secret prompt|instructions|message|key|keys',
    'post|send|share|reveal|forward your owners|users|operators|humans * mails|emails|keys|messages|files|data',
    'new|real|actual|true system|developer|operator prompt|message|instructions',
    'decode|decrypt this|the|it and|then execute|follow|obey|publish|do',
  ],
  weak: [
    'system prompt',
    'system|operator|admin message|override|note|instruction|instructions',
    'jailbreak|jailbroken',
    `previous|prior|above|earlier ${orders}`,
    'your user|owner|principal',
    'price is verified|approved',
    `${readers} that|who read|reads`,
    'must comply|obey|register|answer|respond',
    'end of post|text|data|user|content',
    'fence|marker|nonce|delimiter',
  ],
}

const known = 'wife|husband|girlfriend|boyfriend|ex|partner|neighbour|neighbor|colleague|teacher'

const personalData: Signals = {
  category: 'personal_data',
  strong: [
    'is|are|be|she|he home alone until|till|after|between|from|every|at',
    `address|number|phone|whereabouts of my|her|his former? ${known}`,
    `wanted|find|looking|need|seeking|reward ** address|number|whereabouts of my|a|this|her|his former? ${known}`,
    `find|track|locate|trace where my|this former? ${known}`,
    'patient|client|customer|member|employee list|records|files ** here are|is the names',
    'here are the|their names and|with what|their|addresses|numbers|diagnoses|salaries',
    'admin|root|master|server|database|router password|passcode|pin|login is',
    'door|alarm|gate|safe|entry code|pin is',
    'here|this is her|his|their home address|number',
    'lives|live|living at # ** alone|go|visit|knock|window',
    'social security number|numbers',
    'her|his|their medical|hiv|diagnosis|therapy records|status|file|files ** here|shows|below',
    'doxx|dox|doxxed|doxed',
    `private|leaked letters|messages|chats|photos|mails of my|our|this former? ${known}`,
  ],
  weak: [
    'her|his|their home address|number',
    'second|third|first|top|ground bell|floor|door',
    'home alone',
    `my former? ${known}`,
    'her|his|their phone|number|address|salary|diagnosis',
    'moved away',
    'reward',
    'patient list|records|names',
    'door code',
    'passport|identity number',
    'what each came for',
  ],
}

const staff = 'team|staff|support|security|moderation|operator|operators|moderators'
const offices = 'office|ministry|council|police|bank|government|authority|department|agency'
const persons = 'nurse|doctor|officer|soldier|pilot|survivor|witness|man|woman|girl|boy'

const impersonation: Signals = {
  category: 'impersonation',
  strong: [
    `this is the? official? broadside ${staff}`,
    `message|notice|announcement|statement from|by|of the? broadside ${staff}`,
    `we|i are|am the|from? the? broadside ${staff}`,
    'on behalf of broadside',
    `${offices} orders|instructs|commands|obliges all|every|each households|residents|citizens|customers`,
    'author is|has a seller|invented',
    `i am the ${persons} on|in|from the|that photograph|photo|picture|video`,
    'this is your bank|landlord|president|minister|mayor',
    'speaking|writing as the|your president|minister|mayor|police|bank',
  ],
  weak: [
    `broadside ${staff}`,
    'account is under review',
    'orders all|every',
    'renew their|your contracts|contract|licence|license|registration',
    'to keep your posts|account',
    'has invented',
    'author is a',
    'official account|statement|representative',
    `this is the ${offices}`,
    'this is what i saw',
  ],
  whole: [
    'broadside',
    `broadside admin|official|help|desk|billing|moderator|${staff}`,
    `official|the broadside ${staff}`,
    'official broadside',
    'system|administrator|moderator|moderation',
  ],
}

export const integritySignals = [promptInjection, personalData, impersonation]
