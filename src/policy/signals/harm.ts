import type { Signals } from './signals.ts'

const hurt = 'kill|shoot|stab|strangle|murder|hurt|burn|hang'
const someone = 'you|him|her|them|your|his|every'

const violenceThreats: Signals = {
  category: 'violence_threats',
  strong: [
    `i|we will|shall ${hurt} ${someone}`,
    `ill|gonna ${hurt} ${someone}`,
    `going to beat|${hurt} ${someone}`,
    'you|he|she|they will|wont not? walk|make|get home',
    'i|we know where you|he|she|they live|lives|sleep|sleeps|park|parks',
    'i|we know when you|he|she|they lock|locks|leave|leaves|sleep|sleeps',
    'bring something heavy|sharp',
    'bring|with knives|bats|guns|clubs|petrol ** teach|beat|lesson|burn|hurt',
    'drivers|workers|they|he|she|you|him|them will|shall be taught a lesson',
    'set|sets fire ** hero|heroes',
    'attacker|killer|shooter|bomber|arsonist ** hero|heroes|saint|legend',
    'need * more like him|her|them before|until',
    'deserve|deserves|deserved to die|bleed|burn',
    'deserve|deserves|deserved to be shot|tortured|beaten|killed|burned|hanged|stabbed',
    `someone|somebody should|must bomb|${hurt}`,
    'should|must be shot|hanged|killed|beheaded|executed|burned * alive|dead|head|street|tonight',
    'cut|slit|slash your|his|her|their throat|throats|face',
    'bomb|shoot up? the|this school|station|mosque|church|synagogue|hostel|shelter|parliament|clinic|market',
    'build|make|assemble a? pipe|nail|petrol|fertiliser? bomb|bombs|explosives|molotov',
    'make|let them bleed|burn|suffer',
    'hurt|kill|harm your|his|her|the * family|children|wife|kids',
    'death to the|all',
  ],
  weak: [
    'kill|stab|shoot|strangle|murder|behead|torture',
    'blood|bleed|bleeding',
    'revenge|payback',
    'teach * a lesson',
    'hero',
    'more like him|her|them',
    'set|on fire',
    'bomb|explosives|grenade|molotov|gun|knife|knives',
    'broke the strike',
    'watch your back',
  ],
}

const selfHarm: Signals = {
  category: 'self_harm',
  strong: [
    'kill|hang|cut|starve|drown|poison yourself|yourselves',
    'stop waiting and? do it',
    'world|everyone|everybody|family will|would be glad|happier|better|relieved off? without you',
    'world|everyone|everybody will|would be glad ** do it',
    'nobody|no one? will|would miss you',
    'for those|everyone|anyone who have|has decided ** means|guide|parcel|kit|method',
    'send|sell|ship|offer the means ** parcel|envelope|package|guide',
    'fast|fasting for girls|women|boys|those who want|wants to vanish|disappear',
    'those|girls who eat are|will|get put|thrown|punished|shamed',
    'thinspo|thinspiration|proana|bonespo',
    'painless|quick|easy|best|quickest|reliable way|ways|method|methods to die',
    'suicide pact|kit|guide|method|methods',
    'lethal|deadly dose of',
  ],
  weak: [
    'feel|feels like a burden',
    'plain parcel|package|envelope',
    'guide comes with',
    'want|wants to vanish|disappear',
    'do it',
    'end|ending your|my life',
    'want|wish|wanted to die',
    'kill|hurt|cut|starve myself|himself|herself|themselves',
    'all the|my pills',
    'cannot|cant go on',
    'suicidal',
    'goodbye everyone|everybody|all|forever',
  ],
}

const drugs = 'cocaine|heroin|mdma|ecstasy|meth|ketamine|fentanyl|lsd|xanax|oxycodone|molly'
const papers = 'passport|passports|id|ids|licence|licences|license|licenses|diploma|diplomas|visas|banknotes|documents'
const guns = 'gun|guns|pistol|pistols|rifle|rifles|handgun|handguns|firearm|firearms'

const illegalGoods: Signals = {
  category: 'illegal_goods',
  strong: [
    'no|without prescription needed|required|necessary|asked',
    'no|without a? prescription ** envelope|envelopes|shipped|delivery|cheap|pills|tablets|discreet',
    `${papers} * made to order`,
    `buy|sell|selling|order|need fake|forged|counterfeit|false ${papers}`,
    `fake|forged|counterfeit ${papers} ** sale|order|delivered|price|cheap|indistinguishable`,
    'any name ** pass|passes every|all|any check|checks|control|controls',
    'locked to their|the|its owner|owners',
    'dont|not|never ask where they|it|these|this are|is|came|come|comes from',
    'from a? protected nest|species',
    `${drugs} * sale|available|delivered|gram|grams|stock|shipped|cheap|menu|tabs`,
    `sell|selling|buy|buying|dealer|supplier|vendor * ${drugs}`,
    `unregistered|untraceable|unlicensed|ghost ${guns}`,
    `${guns} ** no|without serial|license|licence|papers|permit`,
    'stolen|hacked|cracked|leaked accounts|cards|phones|bikes|logins ** sale|sell|price|each|cheap|buy',
    'sell|buy stolen|hacked|cracked|leaked accounts|cards|phones|bikes|goods|data|logins',
    'fullz|carding|cvvs',
    'kidney|organ|organs * sale|buyer',
  ],
  weak: [
    'no prescription',
    'painkillers|opioids|steroids|xanax|valium|ritalin|cannabis',
    'plain envelope|envelopes|package|packaging|parcel',
    'no papers|questions|receipt',
    'pickup|collection by|at night',
    'cash only',
    'any name',
    'where they|it are|is|came|come from',
    'stealth|discreet shipping|delivery|packaging',
    'untraceable|unregistered|counterfeit|forged|stolen',
    'hand raised * chicks|chick|cubs|cub',
  ],
}

export const harmSignals = [violenceThreats, selfHarm, illegalGoods]
