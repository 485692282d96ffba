/** Plans the commands that make a system trust an authority. It knows platforms; it runs nothing. */

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly isRoot: boolean
  has(program: string): boolean
  exists(path: string): boolean
}

export type SystemCommand = readonly [program: string, ...parameters: string[]]

export interface TrustPlan {
  readonly commands: readonly SystemCommand[]
  /** What the person has to do or should know. */
  readonly notes: readonly string[]
}

const NAME = 'diptych-local-authority'

const firefoxNote = (authority: string): string =>
  `Firefox keeps a list of its own: Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import, ${authority}.`

export function planTrust(authority: string, machine: Machine): TrustPlan {
  switch (machine.platform) {
    case 'linux':
      return planLinux(authority, machine)
    case 'darwin':
      return {
        commands: [
          asRoot(machine, [
            'security',
            'add-trusted-cert',
            '-d',
            '-k',
            '/Library/Keychains/System.keychain',
            authority,
          ]),
        ],
        notes: [firefoxNote(authority)],
      }
    case 'win32':
      return {
        commands: [['certutil', '-user', '-addstore', 'Root', authority]],
        notes: [firefoxNote(authority)],
      }
    default:
      return { commands: [], notes: [manualNote(authority)] }
  }
}

const manualNote = (authority: string): string =>
  `It is not known here how this system is told: add ${authority} to its trusted certificate authorities.`

function planLinux(authority: string, machine: Machine): TrustPlan {
  const systemPlan = systemCommands(authority, machine)
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

/** Covers Debian and its derivatives, then Fedora and its derivatives. */
function systemCommands(authority: string, { has: hasProgram }: Machine): SystemCommand[] {
  if (hasProgram('update-ca-certificates'))
    return [['cp', authority, '/usr/local/share/ca-certificates/diptych.crt'], ['update-ca-certificates']]
  if (hasProgram('update-ca-trust'))
    return [
      ['cp', authority, '/etc/pki/ca-trust/source/anchors/diptych.pem'],
      ['update-ca-trust', 'extract'],
    ]
  return []
}

/** On Linux Chromium and Chrome do not use the system's list: they have an NSS database in the home folder. */
function planChromium(authority: string, { home, has: hasProgram, exists: fileExists }: Machine): TrustPlan {
  const database = `${home}/.pki/nssdb`
  const addCommand = [
    'certutil',
    '-d',
    `sql:${database}`,
    '-A',
    '-t',
    'C,,',
    '-n',
    NAME,
    '-i',
    authority,
  ] as const
  if (hasProgram('certutil') && fileExists(database)) return { commands: [addCommand], notes: [] }
  const installNote = `Chromium and Chrome on Linux read ${database}: start the browser once, install certutil (libnss3-tools or nss-tools), then run`
  return { commands: [], notes: [`${installNote} ${addCommand.join(' ')}`] }
}

const asRoot = ({ isRoot }: Machine, command: SystemCommand): SystemCommand =>
  isRoot ? command : ['sudo', ...command]
