const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\biPhone|\biPad/, 'iOS'],
  [/\bAndroid/, 'Android'],
  [/\bWindows/, 'Windows'],
  [/\bMac OS X/, 'macOS'],
  [/\bLinux/, 'Linux'],
]

/** Enough for an owner to recognise a session, from a few words of ours: nothing that the browser sent is stored. */
export function nameBrowser(userAgent: string | undefined): string {
  const name = (table: readonly [RegExp, string][]) => table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const [browser, system] = [name(browsers), name(systems)]
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Another program')
}
