export const quick = new Set<string>()
