/**
 * Words by which a text too short to tell its language is known as English: frequent ones, and those of short notices.
 * Words that other languages share (die, in, so, was, man, no) are left out.
 */
export const englishWords: ReadonlySet<string> = new Set(
  `the of and to for with from by at on off this that these those there here it its is are were be been being
  you your yours my our their his her they them we us she he who what when where which why how
  not do does did don can could will would should may might must have has had
  all any both each every few many more most much some such other another only own same than too very
  about above after again against before below between down during into out over through under until up while
  one two three four five six seven eight nine ten first last next new old good bad best big small free
  get got give go going gone come coming know like look looking love make need please see sell selling sold take tell
  think time try use want wanted work buy buying sale offer price help thanks thank hello hi bye yes ok okay
  day days today tomorrow yesterday tonight morning evening week weekend month year night hour hours
  monday tuesday wednesday thursday friday saturday sunday
  open closed closes opens lost found left right back home house room street road town city people world
  meet meeting ferry train bus bridge market garden shop school weather rain snow wind tide water power
  cat dog bike car table chair book books music news test testing note notice update`.split(/\s+/),
)
