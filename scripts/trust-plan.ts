/** Plans the commands that make a system trust an authority, and those that undo it. It knows platforms; it runs nothing. */

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly isRoot: boolean
  has(program: string): boolean
  exists(path: string): boolean
  /** Runs a command that only asks. */
  succeeds(command: SystemCommand): boolean
}

export interface Authority {
  readonly file: string
  /** The digest by which macOS and Windows find the authority again; null while there is no file. */
  readonly sha1: string | null
}

export type SystemCommand = readonly [program: string, ...parameters: string[]]

export interface TrustPlan {
  readonly commands: readonly SystemCommand[]
  /** What the person has to do or should know. */
  readonly notes: readonly string[]
}

const NAME = 'diptych-local-authority'
const MAC_KEYCHAIN = '/Library/Keychains/System.keychain'

const firefoxPath = 'Settings, Privacy & Security, Certificates, View Certificates, Authorities'

const firefoxNote = (authority: string): string =>
  `Firefox keeps a list of its own: ${firefoxPath}, Import, ${authority}.`

export function planTrust({ file }: Authority, machine: Machine): TrustPlan {
  switch (machine.platform) {
    case 'linux':
      return planLinux(file, machine)
    case 'darwin':
      return {
        commands: [asRoot(machine, ['security', 'add-trusted-cert', '-d', '-k', MAC_KEYCHAIN, file])],
        notes: [firefoxNote(file)],
      }
    case 'win32':
      return { commands: [['certutil', '-user', '-addstore', 'Root', file]], notes: [firefoxNote(file)] }
    default:
      return { commands: [], notes: [manualNote(file)] }
  }
}

/** Undoes planTrust(). The files in DATA_DIR stay: the server goes on with them. */
export function planRemoval(authority: Authority, machine: Machine): TrustPlan {
  const notes = [`Firefox: ${firefoxPath}, "Diptych local authority of …", Delete or Distrust.`]
  switch (machine.platform) {
    case 'linux':
      return planLinuxRemoval(notes, machine)
    case 'darwin':
    case 'win32':
      return authority.sha1 === null
        ? { commands: [], notes: [removalNote, ...notes] }
        : { commands: removalByDigest(authority.file, authority.sha1, machine), notes }
    default:
      return { commands: [], notes: [removalNote, ...notes] }
  }
}

const removalNote =
  'This program cannot remove it here: look for "Diptych local authority of …" among the trusted certificate authorities of this system, and delete it.'

const removalByDigest = (file: string, sha1: string, machine: Machine): SystemCommand[] =>
  machine.platform === 'win32'
    ? [['certutil', '-user', '-delstore', 'Root', sha1]]
    : [
        asRoot(machine, ['security', 'remove-trusted-cert', '-d', file]),
        asRoot(machine, ['security', 'delete-certificate', '-Z', sha1, MAC_KEYCHAIN]),
      ]

const manualNote = (authority: string): string =>
  `This program does not know this system: add ${authority} to its trusted certificate authorities.`

function planLinux(authority: string, machine: Machine): TrustPlan {
  const list = systemListOf(machine)
  const systemPlan: SystemCommand[] = list ? [['cp', authority, list.file], list.refresh] : []
  const browserPlan = planChromium(authority, machine)
  return {
    commands: [...systemPlan.map((command) => asRoot(machine, command)), ...browserPlan.commands],
    notes: [
      ...(systemPlan.length > 0 ? [] : [manualNote(authority)]),
      ...browserPlan.notes,
      firefoxNote(authority),
    ],
  }
}

function planLinuxRemoval(notes: readonly string[], machine: Machine): TrustPlan {
  const list = systemListOf(machine)
  const systemPlan: SystemCommand[] = list ? [['rm', '-f', list.file], list.refresh] : []
  const isInBrowserList =
    hasBrowserList(machine) && machine.succeeds(['certutil', ...nssDatabase(machine), '-L', '-n', NAME])
  return {
    commands: [
      ...systemPlan.map((command) => asRoot(machine, command)),
      ...(isInBrowserList ? [['certutil', ...nssDatabase(machine), '-D', '-n', NAME] as const] : []),
    ],
    notes: list ? notes : [removalNote, ...notes],
  }
}

interface SystemList {
  /** The file to which the authority is copied. */
  readonly file: string
  /** Makes the list anew from such files. */
  readonly refresh: SystemCommand
}

/** Covers Debian and its derivatives, then Fedora and its derivatives. */
function systemListOf({ has: hasProgram }: Machine): SystemList | null {
  if (hasProgram('update-ca-certificates'))
    return { file: '/usr/local/share/ca-certificates/diptych.crt', refresh: ['update-ca-certificates'] }
  if (hasProgram('update-ca-trust'))
    return { file: '/etc/pki/ca-trust/source/anchors/diptych.pem', refresh: ['update-ca-trust', 'extract'] }
  return null
}

/** On Linux Chromium and Chrome do not use the system's list: they have an NSS database in the home folder. */
function planChromium(authority: string, machine: Machine): TrustPlan {
  const addCommand = [
    'certutil',
    ...nssDatabase(machine),
    '-A',
    '-t',
    'C,,',
    '-n',
    NAME,
    '-i',
    authority,
  ] as const
  if (hasBrowserList(machine)) return { commands: [addCommand], notes: [] }
  const installNote = `Chromium and Chrome on Linux read ${nssFolder(machine)}: start the browser once, install certutil (libnss3-tools or nss-tools), then run`
  return { commands: [], notes: [`${installNote} ${addCommand.join(' ')}`] }
}

const nssFolder = ({ home }: Machine): string => `${home}/.pki/nssdb`
const nssDatabase = (machine: Machine) => ['-d', `sql:${nssFolder(machine)}`] as const
const hasBrowserList = (machine: Machine): boolean =>
  machine.has('certutil') && machine.exists(nssFolder(machine))

const asRoot = ({ isRoot }: Machine, command: SystemCommand): SystemCommand =>
  isRoot ? command : ['sudo', ...command]
