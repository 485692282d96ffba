/** Reads a formula of Word (OMML) as LaTeX. */
import { elementsIn, lettersIn, parseXml, type XmlElement } from '../text/xml-tree.ts'

/** @param inner What stands in `m:oMath`. @returns null for a formula with parts that LaTeX has no common form for. */
export function latexOfOmml(inner: string): string | null {
  const math = parseXml(`<m:oMath>${inner}</m:oMath>`)
  if (!math) return null
  try {
    return tidy(sequence(math)).replaceAll(KEPT_SPACE, ' ')
  } catch (error) {
    if (error instanceof NoForm) return null
    throw error
  }
}

/** A space among words, which is not tidied away. */
const KEPT_SPACE = '\uE000'

class NoForm extends Error {
  override readonly name = 'NoForm'
}

const tidy = (latex: string): string =>
  latex
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ (?=[{}^_])/g, '')
    .trim()

const sequence = (node: XmlElement): string => elementsIn(node).map(read).join('')

const childOf = (node: XmlElement, name: string): XmlElement | undefined =>
  elementsIn(node).find((child) => child.name === `m:${name}`)

const partOf = (node: XmlElement, name: string): string => {
  const part = childOf(node, name)
  return part ? sequence(part) : ''
}

const group = (node: XmlElement, name: string): string => `{${tidy(partOf(node, name))}}`

/** A letter, a digit or a command needs no braces before a script. */
function baseOf(node: XmlElement): string {
  const base = tidy(partOf(node, 'e'))
  return /^(?:[^\\{}]|\\[a-zA-Z]+)?$/u.test(base) ? `${base} ` : `{${base}}`
}

/** The value of a property; undefined where it is not set. */
function property(node: XmlElement, properties: string, name: string): string | undefined {
  const found = childOf(node, properties)
  return found && childOf(found, name)?.attributes['m:val']
}

const isSet = (node: XmlElement, properties: string, name: string): boolean => {
  const found = childOf(node, properties)
  const value = found && childOf(found, name)
  return value !== undefined && !/^(?:0|off|false)$/.test(value.attributes['m:val'] ?? '1')
}

function read(node: XmlElement): string {
  switch (node.name) {
    case 'm:r':
      return readRun(node)
    case 'm:f':
      return property(node, 'fPr', 'type') === 'noBar'
        ? `{${tidy(partOf(node, 'num'))} \\atop ${tidy(partOf(node, 'den'))}}`
        : `\\frac${group(node, 'num')}${group(node, 'den')}`
    case 'm:sSup':
      return `${baseOf(node)}^${group(node, 'sup')}`
    case 'm:sSub':
      return `${baseOf(node)}_${group(node, 'sub')}`
    case 'm:sSubSup':
      return `${baseOf(node)}_${group(node, 'sub')}^${group(node, 'sup')}`
    case 'm:rad': {
      const degree = tidy(partOf(node, 'deg'))
      return `\\sqrt${degree === '' || isSet(node, 'radPr', 'degHide') ? '' : `[${degree}]`}${group(node, 'e')}`
    }
    case 'm:nary':
      return readOverall(node)
    case 'm:d':
      return readFences(node)
    case 'm:m':
      return `\\begin{matrix}${readRows(node)}\\end{matrix}`
    case 'm:eqArr':
      return `\\begin{aligned}${elementsOf(node, 'e').map(sequence).map(tidy).join(' \\\\ ')}\\end{aligned}`
    case 'm:acc':
      return `\\${accentOf(property(node, 'accPr', 'chr') ?? '\u0302')}${group(node, 'e')}`
    case 'm:bar':
      return `\\${property(node, 'barPr', 'pos') === 'top' ? 'over' : 'under'}line${group(node, 'e')}`
    case 'm:func':
      return `${partOf(node, 'fName')} ${partOf(node, 'e')}`
    case 'm:limLow':
      return readLimit(node, '_', 'underset')
    case 'm:limUpp':
      return readLimit(node, '^', 'overset')
    case 'm:box':
    case 'm:oMath':
      return node.name === 'm:box' ? partOf(node, 'e') : sequence(node)
    // What somebody inserted while changes were tracked is a part of it, and what was deleted is none.
    case 'w:ins':
    case 'w:moveTo':
    case 'w:smartTag':
    case 'w:hyperlink':
      return sequence(node)
    default:
      if (/^(?:[mw]:\w*Pr|w:(?:del|moveFrom|proofErr|bookmark\w*|comment\w*|perm\w*))$/.test(node.name))
        return ''
      throw new NoForm(node.name)
  }
}

const elementsOf = (node: XmlElement, name: string): XmlElement[] =>
  elementsIn(node).filter((child) => child.name === `m:${name}`)

const readRows = (matrix: XmlElement): string =>
  elementsOf(matrix, 'mr')
    .map((row) => elementsOf(row, 'e').map(sequence).map(tidy).join(' & '))
    .join(' \\\\ ')

const overalls: Readonly<Record<string, string>> = {
  '∑': 'sum',
  '∏': 'prod',
  '∐': 'coprod',
  '∫': 'int',
  '∬': 'iint',
  '∭': 'iiint',
  '∮': 'oint',
  '⋃': 'bigcup',
  '⋂': 'bigcap',
  '⋁': 'bigvee',
  '⋀': 'bigwedge',
  '⨁': 'bigoplus',
  '⨂': 'bigotimes',
}

function readOverall(node: XmlElement): string {
  const command = overalls[property(node, 'naryPr', 'chr') ?? '∫']
  if (command === undefined) throw new NoForm('m:nary')
  const limits = (['sub', 'sup'] as const).map((name) => {
    const limit = tidy(partOf(node, name))
    return limit === '' ? '' : `${name === 'sub' ? '_' : '^'}{${limit}}`
  })
  return `\\${command}${limits.join('')} ${partOf(node, 'e')}`
}

function readFences(node: XmlElement): string {
  const [open, close] = [property(node, 'dPr', 'begChr') ?? '(', property(node, 'dPr', 'endChr') ?? ')']
  const separator = property(node, 'dPr', 'sepChr') ?? '|'
  const inner = elementsOf(node, 'e')
    .map(sequence)
    .map(tidy)
    .join(` ${lettersOf(separator)} `)
  return `\\left${fenceOf(open)} ${inner} \\right${fenceOf(close)}`
}

function fenceOf(sign: string): string {
  if (sign === '') return '.'
  if (sign === '{' || sign === '}') return `\\${sign}`
  const named = {
    '⟨': '\\langle',
    '⟩': '\\rangle',
    '‖': '\\Vert',
    '⌈': '\\lceil',
    '⌉': '\\rceil',
    '⌊': '\\lfloor',
    '⌋': '\\rfloor',
  }[sign]
  if (named === undefined && !/^[()[\]|/]$/.test(sign)) throw new NoForm(sign)
  return named ?? sign
}

const accentNames: Readonly<Record<string, string>> = {
  '\u0302': 'hat',
  '\u0303': 'tilde',
  '\u0304': 'bar',
  '\u0305': 'overline',
  '\u0307': 'dot',
  '\u0308': 'ddot',
  '\u20D7': 'vec',
}

function accentOf(sign: string): string {
  const name = accentNames[sign]
  if (name === undefined) throw new NoForm(sign)
  return name
}

/** Below "lim" stands what goes to where. */
function readLimit(node: XmlElement, script: string, command: string): string {
  const base = tidy(partOf(node, 'e'))
  return /^\\(?:lim|max|min|sup|inf)(?![a-z])/.test(base)
    ? `${base}${script}${group(node, 'lim')}`
    : `\\${command}${group(node, 'lim')}{${base}}`
}

const functions =
  /^(?:arccos|arcsin|arctan|arg|cos|cosh|cot|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|ln|log|max|min|sec|sin|sinh|sup|tan|tanh)$/

function readRun(node: XmlElement): string {
  const text = elementsOf(node, 't').map(lettersIn).join('')
  if (isSet(node, 'rPr', 'nor')) return `\\text{${lettersOf(text).replaceAll(' ', KEPT_SPACE)}}`
  if (functions.test(text)) return `\\${text} `
  const isUpright = property(node, 'rPr', 'sty') === 'p' && /^[a-zA-Z]{2,}$/.test(text)
  return isUpright ? `\\operatorname{${text}}` : lettersOf(text)
}

const signs: Readonly<Record<string, string>> = {
  '\\': '\\backslash ',
  '~': '\\sim ',
  '^': '\\hat{}',
  '′': '\\prime ',
  '\u2009': '\\, ',
  '\u2003': '\\quad ',
  '\u00A0': '\\ ',
}

/** Signs that mean something in LaTeX, and escapes of XML. */
const lettersOf = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[{}%#&$_]/g, '\\$&')
    .replaceAll(/\\(?![{}%#&$_])|[~^′\u2009\u2003\u00A0]/g, (sign) => signs[sign]!)
