import { commonStrings } from './common.ts'

const scan = 'Scan a code with its camera: that device is signed in as you.'

function listed(titles: readonly string[]): string {
  const [first = '', second, ...rest] = titles.map((title) => `“${title}”`)
  if (second === undefined) return first
  return rest.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${rest.length} more`
}

/** A person sends a document from this device, and opens it on another by a code: both screens use these. */
export const devicesStrings = {
  sendDialog: {
    title: (name: string) => `Send ${name} to…`,
    ownDevice: 'One of your devices',
    newDevice: 'A new device of yours',
    somebodyElse: 'Someone else',
    somebodyElseHint: 'They join under their own name.',
    address: 'Its address',
    addressLabel: (name: string) => `Address of ${name}`,
    addressHint: 'It opens for everyone who already has access to the document.',
  },
  ownDevices: {
    empty: 'No other device of yours has a window open.',
    label: 'Your other devices',
    offered: 'Offered there',
    send: 'Send',
    sendLabel: (device: string) => `Send to ${device}`,
  },
  code: {
    /** By the state of the code. */
    hint: {
      none: scan,
      making: scan,
      used: 'The code was used: that device is signed in as you. If you did not scan it, someone else can now open and change your documents.',
      expired: 'The code has expired.',
      failed: 'The code could not be made.',
    },
    show: 'Show a code',
    renew: 'Make a new code',
    label: (name: string) => `QR code that opens ${name} as you`,
    goodFor: <Part>(seconds: number, left: Part) =>
      [
        'Works for one device, for ',
        left,
        ` more ${seconds === 1 ? 'second' : 'seconds'}. Anyone who scans it is signed in as you: do not show it to anyone else.`,
      ] as const,
    otherAddress: 'If it does not open, try another address:',
    onlyHere:
      'This address opens on this computer only. To reach it from other devices, start Diptych with HOST=0.0.0.0 or with a PUBLIC_URL.',
    warns: 'The other device may warn of this server’s own certificate.',
  },
  /** In the tab, too. */
  pageTitle: (title: string) => `${title} – ${commonStrings.product}`,
  continueAs: {
    title: (person: string) => `Continue as ${person} on this device?`,
    hint: (person: string) =>
      `Continue only if you created this code yourself on another of your devices. After that, you write as ${person} here, and all of their documents can be opened here.`,
    leftBehind: (me: string, titles: readonly string[]) => {
      const them = titles.length === 1 ? 'it' : 'them'
      return `After that, this device is no longer signed in as ${me}, who owns ${listed(titles)}. If you need ${them}, stay and share ${them} by a link first.`
    },
    unsent: (count: number, me: string) =>
      count === 1
        ? `One change made here as ${me} is not on the server yet. Wait until it is sent: afterwards nobody could send it from this device.`
        : `${commonStrings.changes(count)} made here as ${me} are not on the server yet. Wait until they are sent: afterwards nobody could send them from this device.`,
    confirm: (person: string) => `Continue as ${person}`,
    confirmWithoutChanges: 'Continue without them',
    stay: (me: string) => `Stay as ${me}`,
  },
  invalidTicket: {
    title: 'This code no longer works',
    hint: 'A code signs in one device, within a minute. Make a new one on your other device: Panels, then Send to. Nothing has changed here.',
    stay: 'Continue',
    stayAs: (me: string) => `Continue as ${me}`,
  },
} as const
