/**
 * The ISO 3166-2 codes for GeoNames' codes of first-level subdivisions, without the country, for the countries where
 * each of them is one subdivision of ISO 3166-2. Cities of other countries have no subdivision in our table.
 */
const translated: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AT: pairs('01:1 02:2 03:3 04:4 05:5 06:6 07:7 08:8 09:9'),
  AU: pairs('01:ACT 02:NSW 03:NT 04:QLD 05:SA 06:TAS 07:VIC 08:WA'),
  BR: pairs(
    '01:AC 02:AL 03:AP 04:AM 05:BA 06:CE 07:DF 08:ES 11:MS 13:MA 14:MT 15:MG 16:PA 17:PB 18:PR 20:PI 21:RJ 22:RN ' +
      '23:RS 24:RO 25:RR 26:SC 27:SP 28:SE 29:GO 30:PE 31:TO',
  ),
  CA: pairs('01:AB 02:BC 03:MB 04:NB 05:NL 07:NS 08:ON 09:PE 10:QC 11:SK 12:YT 13:NT 14:NU'),
  DE: pairs('01:BW 02:BY 03:HB 04:HH 05:HE 06:NI 07:NW 08:RP 09:SL 10:SH 11:BB 12:MV 13:SN 14:ST 15:TH 16:BE'),
  ES: pairs(
    '07:IB 27:RI 29:MD 31:MC 32:NC 34:AS 39:CB 51:AN 52:AR 53:CN 54:CM 55:CL 56:CT 57:EX 58:GA 59:PV 60:VC CE:CE ML:ML',
  ),
  FR: pairs('11:IDF 24:CVL 27:BFC 28:NOR 32:HDF 44:GES 52:PDL 53:BRE 75:NAQ 76:OCC 84:ARA 93:PAC 94:20R'),
  IT: pairs(
    '01:65 02:77 03:78 04:72 05:45 06:36 07:62 08:42 09:25 10:57 11:67 12:21 13:75 14:88 15:82 16:52 17:32 18:55 19:23 ' +
      '20:34',
  ),
  NL: pairs('01:DR 02:FR 03:GE 04:GR 05:LI 06:NB 07:NH 09:UT 10:ZE 11:ZH 15:OV 16:FL'),
  PT: pairs(
    '02:01 03:02 04:03 05:04 06:05 07:06 08:07 09:08 10:30 11:09 13:10 14:11 16:12 17:13 18:14 19:15 20:16 21:17 22:18 ' +
      '23:20',
  ),
}

/** GeoNames uses the codes of ISO 3166-2 itself. */
const identical = new Set(['BE', 'CH', 'GB', 'US'])

/** The part of the ISO 3166-2 code after the country, or an empty string if it is not known. */
export const subdivisionOf = (country: string, adminCode: string): string =>
  identical.has(country) ? adminCode : (translated[country]?.[adminCode] ?? '')

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((pair) => pair.split(':')))
}
