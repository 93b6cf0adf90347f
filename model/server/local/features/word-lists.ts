/**
 * Words that are worth knowing about, as patterns. None of them decides anything: a list gives the model a few numbers,
 * and what they mean beside the rest is learnt. Written for this project.
 */
export const wordLists = {
  sexual:
    'sex|sexual(?:ly)?|sexy|nudes?|naked|porn\\w*|erotic\\w*|orgasm\\w*|horny|arous(?:ed|al)|nipples?|breasts?|boobs?|tits?|penis|cock|dick|vagina|pussy|clit\\w*|cum(?:ming)?|thrust(?:s|ing|ed)?|moan(?:s|ed|ing)?|masturbat\\w*|blow ?jobs?|hand ?jobs?|escorts?|threesome|lingerie|panties|strip(?:ped|per|tease)|seduc\\w*|fetish\\w*|bdsm|ejaculat\\w*|anal|oral sex|mak(?:e|ing) love|undress\\w*|caress\\w*|onlyfans|hook ?ups?|nsfw|intercourse|lust\\w*',
  obscene:
    'fuck\\w*|shit\\w*|bitch\\w*|cunts?|ass(?:hole)?s?|arse\\w*|bastards?|bollocks|wank\\w*|twats?|pricks?|dickheads?|motherf\\w*|bullshit|crap|damn|goddamn|piss\\w*|douche\\w*|jerk ?off|slut\\w*|whores?|hoes?|skanks?|jackass\\w*',
  violence:
    'kill(?:s|ed|ing|er|ers)?|murder\\w*|stab\\w*|shoot(?:s|ing)?|shot|slaughter\\w*|massacre\\w*|behead\\w*|decapitat\\w*|tortur\\w*|blood\\w*|corpses?|gore|guts|intestines?|knife|knives|guns?|bombs?|explo(?:de|ded|sions?|sives?)|beat(?:en|ing)? (?:him|her|them|you|up)|strangl\\w*|throats?|rap(?:e|ed|ing|ists?)|execut(?:e|ed|ion)|hang (?:him|her|them)|burn (?:him|her|them)|lynch\\w*|genocide|exterminat\\w*|die|dead|death|attack(?:s|ed)?|weapons?|wound(?:s|ed)?|smash|break (?:his|her|your|their)|punch\\w*|skull|bullets?|hurt (?:you|him|her|them)|hunt (?:you|him|her|them)|wipe (?:them|you) out|pay for this|watch your back',
  selfHarm:
    'suicid\\w*|kill(?:ing)? (?:myself|yourself|himself|herself|themselves)|end (?:my|your|it all)|want(?:ed)? to die|wanna die|self[- ]?(?:harm|injur)\\w*|cut(?:ting)? (?:myself|yourself|my (?:arms?|wrists?|thighs?|skin))|slic(?:e|ed|ing)|overdos\\w*|hang(?:ing)? myself|anorexi\\w*|bulimi\\w*|starv(?:e|ing) myself|thinspo|pro[- ]?ana|purg(?:e|ing)|razors?|not worth living|no reason to live|off myself|unalive|goodbye note|better off without me|never wake up|burn(?:ed|ing)? myself',
  contempt:
    'hate|hates|vermin|subhumans?|inferior|filth(?:y)?|scum|parasites?|invaders?|go back to|deport\\w*|master race|white power|degenerates?|disgusting|savages?|retard\\w*|idiots?|stupid|morons?|losers?|trash|worthless|pathetic|ugly|pigs?|animals?|plague|infest\\w*|disease|cockroach\\w*|rats|not (?:real )?(?:humans?|people)|freaks?|dumb|shut up|nobody likes|kys|sick of|should not be allowed',
  group:
    'wom[ae]n|girls|men|blacks?|black people|whites?|asians?|jews?|jewish|muslims?|islam\\w*|christians?|immigrants?|migrants?|refugees?|foreigners?|gays?|lesbians?|trans(?:gender)?|queers?|homosexuals?|mexicans?|indians?|arabs?|africans?|chinese|disabled|blind|deaf|autistic|hindus?|gypsies|roma|old people|these people|those people|their kind',
  drugs:
    'cocaine|coke|heroin|meth|mdma|molly|ecstasy|lsd|fentanyl|oxy(?:codone|contin)?|xanax|ketamine|weed|cannabis|marijuana|shrooms?|steroids?|prescription|pills|opioids?|dealers?|darknet|dark web|adderall|tramadol|percs?|valium|grams?|ounces?|kush|edibles|vapes?',
  contraband:
    'hand ?guns?|pistols?|rifles?|ar-?15|ak-?47|glocks?|ammo|ammunition|silencers?|suppressors?|explosives?|grenades?|nerve agents?|ghost guns?|counterfeit\\w*|fake (?:id|ids|passports?|licen[cs]es?|money|notes|diplomas?)|replicas?|stolen|cvv|fullz|dumps|cloned cards?|ivory|smuggl\\w*|no serial|no questions asked|without (?:a )?(?:permit|licen[cs]e|papers|prescription)|untraceable|stealth (?:shipping|packaging)|background check|unregistered|organs?|kidneys?|exotic animals?|rhino|tiger',
  money:
    'free|win(?:ner|ning)?|prizes?|cash|bonus|profits?|profitable|guaranteed?|invest\\w*|bitcoin|btc|eth|usdt|crypto\\w*|wallets?|loans?|earn\\w*|deposits?|withdraw\\w*|double your|giveaways?|airdrops?|lottery|claim|rewards?|offers?|discounts?|cheap|deals?|price|buy|order now|limited|urgent(?:ly)?|act now|congratulations|selected|fees?|gift cards?|wire|western union|moneygram|inheritance|beneficiary|returns|trading|forex|signals|passive income|refund|upfront|in advance|transfer',
  callToAct:
    'click|subscribe|follow(?: me)?|check out|link in bio|dm(?: me)?|whatsapp|telegram|call now|text|txt|reply|visit|join|sign up|download|share|channel|unsubscribe|contact (?:me|us)|message me|inbox|hurry|today only|don.?t miss|register now|tap|followers|likes|promo|use code',
  intrusion:
    'malware|ransomware|trojans?|virus|keyloggers?|phish\\w*|exploits?|botnets?|ddos|hack(?:s|ing|ed|ers?)?|crack(?:ed|s)?|passwords?|passcode|one[- ]time code|otp|verify your|verification code|(?:suspended|locked|limited|restricted|unusual activity)|log ?in|sign in|credentials|bypass|backdoors?|spyware|rootkits?|sql injection|curl|sudo|powershell|antivirus|\\.exe|\\.apk|seed phrase|recovery phrase|private key|stealer|rat|crypter|installer|six[- ]digit',
  orders:
    'ignore (?:all|any|the|your|everything|previous|above|prior)|disregard (?:all|any|the|your|previous|prior)|forget (?:everything|all|your|previous)|system prompt|developer mode|jailbreak\\w*|do anything now|dan mode|act as|pretend (?:to be|you are|that)|you are now|(?:previous|prior|earlier) (?:instructions?|rules|orders)|new instructions?|(?:no|without) (?:restrictions?|filters?|limits)|your (?:rules|guidelines|instructions|programming)|override|unfiltered|role[- ]?play|stay in character|as an ai|language models?|chatgpt|openai|gpt-?\\d?|claude|assistants?|ai agents?|bots?|moderator|classifier|\\[system\\]|<system>|### ?instruction|tool call|api keys?|your (?:owner|user|operator)|print your|repeat after|answer only|output only',
  office:
    'official(?:ly)?|support team|customer (?:service|support|care)|security (?:team|department)|on behalf of|we are the|this is the|administrator|admin|staff|moderation team|headquarters|department|ministry|police|tax office|bank|government|verified|authori[sz]ed|representative|agent|ceo|notice from|team of|i am (?:the|your)|i work for|helpdesk|public office|federal',
  warning:
    'beware|how to (?:spot|recogni[sz]e|avoid|report)|awareness|prevention|helpline|hotline|support group|survivors?|history|museum|novel|review|talk|lecture|workshop|training|research|study|article|documentary|licensed|legal|permit|police (?:said|warn)|scientists?|report(?:ed|s)?|news|court|trial|memorial|recovery|therapy|charity|course|open day',
  firstPerson: "i|i'm|i've|me|my|myself",
  secondPerson: "you|your|you're|yourself|u|ur",
  asking:
    'how (?:do|can|to|would|could|should)|what (?:is|are)|where (?:can|do)|which|tell me|give me|write|explain|describe|can you|could you|please',
} as const

export type WordList = keyof typeof wordLists

/** Two lists that mean more together than each does alone. */
export const pairs: readonly (readonly [WordList, WordList])[] = [
  ['contempt', 'group'],
  ['obscene', 'group'],
  ['obscene', 'secondPerson'],
  ['violence', 'group'],
  ['violence', 'secondPerson'],
  ['violence', 'firstPerson'],
  ['violence', 'warning'],
  ['selfHarm', 'firstPerson'],
  ['selfHarm', 'secondPerson'],
  ['selfHarm', 'warning'],
  ['contempt', 'secondPerson'],
  ['sexual', 'money'],
  ['sexual', 'warning'],
  ['money', 'callToAct'],
  ['money', 'warning'],
  ['drugs', 'money'],
  ['drugs', 'warning'],
  ['contraband', 'money'],
  ['contraband', 'warning'],
  ['intrusion', 'callToAct'],
  ['intrusion', 'office'],
  ['intrusion', 'warning'],
  ['office', 'money'],
  ['office', 'firstPerson'],
  ['orders', 'secondPerson'],
  ['orders', 'warning'],
  ['contraband', 'asking'],
  ['selfHarm', 'asking'],
  ['intrusion', 'asking'],
]
