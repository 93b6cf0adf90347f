import type { Signals } from './signals.ts'

const coins = 'coins|bitcoin|bitcoins|crypto|usdt'
const gains = 'profit|profits|return|returns|income|earnings|winnings'

const scamFraud: Signals = {
  category: 'scam_fraud',
  strong: [
    `double|triple|multiply your savings|money|investment|deposit|capital|${coins}`,
    `guaranteed ${gains}`,
    'guaranteed ** no|zero|without risk',
    `${gains} ** guaranteed|risk free`,
    `send|pay|transfer * in|by|with ${coins} ** first|upfront|advance|before`,
    'pay|deposit|rent|fee|payment * by|in|with|via gift card|cards|voucher|vouchers',
    'abroad|overseas ** post|mail|send|courier you? the|your key|keys',
    'receive transfers|payments|money|funds|parcels|packages and|then send|forward|pass|transfer|reship',
    'fee|payment|deposit of # opens|unlocks|releases|activates',
    'processing|release|upfront|advance|activation fee ** loan|prize|inheritance|parcel|winnings|grant|funds',
    'loan|prize|inheritance|winnings|grant|funds ** processing|release|upfront|advance|activation fee',
    'doctors|pharma|banks hide|hates|hate',
    'doctors|pharma|banks dont|do|never not? want|tell you',
    'ends|cures|heals|reverses diabetes|cancer|hiv|arthritis|autism|alzheimers * in|within|overnight|forever',
    'before the|this page|video|offer is|gets taken|removed|deleted down?',
    'you|have won|winner ** claim|collect * prize|reward|winnings',
    'claim your prize|winnings|inheritance|airdrop',
    'inheritance|estate|widow ** million|millions ** share|percent|transfer|partner',
    'recruit|bring two|three|four|five|# friends|people|others ** earn|paid|commission|rich',
    'write|buy|sell|need fake|positive * reviews ** paid|each|stars|per',
  ],
  weak: [
    'guaranteed|risk free|no risk',
    'places|spots|offers go|are fast|limited',
    'half the usual price|rent',
    'no skills|experience',
    'gift card|cards',
    'send # in',
    'i am abroad|overseas',
    '# a|per day|week|month',
    'passive|extra|easy income|money',
    `${coins}|forex`,
    'miracle|secret cure|berry|remedy|trick',
    'western union|moneygram',
    'before it is too late',
    'home office job',
  ],
}

const followers = 'followers|likes|votes|subscribers|upvotes|backlinks'

const spam: Signals = {
  category: 'spam',
  strong: [
    'copy|forward|share|send|repost this * to ten|five|seven|twenty|all|every|# sites|people|friends|groups|contacts',
    'break|breaks|broke the chain',
    `# ${followers} for|at|only|cheap|instant`,
    `buy|sell|selling|cheap|gain real? ${followers}`,
    'follow me and i will follow * back',
    'like|vote|star for like|vote|star',
    'no picnic|event|meeting|party|concert ** while you are here',
    `boost your ranking|rankings|seo|traffic|${followers}`,
    'check|visit out? my channel|profile|site ** check|visit out? my channel|profile|site',
    'click here ** click here',
  ],
  weak: [
    `seo|traffic|${followers}`,
    'while you are here',
    'click|tap here',
    'link in bio',
    'subscribe|follow to? my|me|us|our',
    'best|cheap|cheapest|discount|lowest price|prices|deal|deals|store|online',
    'buy now|online|cheap',
    'luck will find',
    'promo|discount|coupon code',
    'everyone is? speaking|talking of|about',
    'limited time',
  ],
}

const secrets = 'password|passwords|login|card|pin|credentials|passcode|wallet|account'
const guards = 'scanner|antivirus|firewall|defender'

const malwarePhishing: Signals = {
  category: 'malware_phishing',
  strong: [
    `confirm|verify|update|enter|submit|validate your ${secrets} at|on|here|now|by|within|via|below|immediately|under`,
    'mailbox|inbox|account|wallet closes|expires|locks tonight|today|soon|unless|now',
    'account|mailbox|wallet|card will|has be|been suspended|closed|blocked|locked|limited ** verify|confirm|password',
    `no|evades|bypasses ${guards} sees|detects|finds|catches`,
    'undetectable|undetected|fud rat|trojan|keylogger|stealer|malware|crypter|virus|miner',
    'watch|see|record|control their|his|her|victims screen|screens|camera|webcam|keyboard',
    `switch|turn|shut your|the|any ${guards} off`,
    `switch|turn|shut off your|the|any ${guards}`,
    `disable|deactivate|uninstall your|the|any ${guards}`,
    'send|enter|share|give|paste|type * your seed|recovery|secret phrase|words',
    'answer|reply|respond with your * key|keys|password|pin|code|token|login|credentials',
    'ransomware|botnet|keylogger|stealer|ddos ** sale|rent|hire|buy|subscription',
    'access|shell|root to ** servers|network|networks|systems|company ** sale|buyer|bids',
    'agents|everyone|users must|need ** curl|wget ** bash|sh',
  ],
  weak: [
    `your ${secrets}`,
    'tonight|immediately',
    'confirm|verify|validate your',
    'to keep it|access|your',
    'as administrator|root|admin',
    'installer|exe|apk|macro|macros|payload',
    'remote control kit',
    'certificate|security update',
    guards,
    'curl|wget * bash|sh',
    'all agents need|must|should',
    'unusual|suspicious activity|login',
    'keylogger|trojan|ransomware|botnet|malware',
  ],
}

export const deceitSignals = [scamFraud, spam, malwarePhishing]
