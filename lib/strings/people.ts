/** The panel of people. */
export const peopleStrings = {
  label: 'People in this document',
  alone: 'Nobody else is here. Share a link to invite people.',
  person: {
    you: '(you)',
    idle: '– idle',
    windows: (name: string) => `Windows of ${name}`,
    window: 'A window',
    several: (window: string, count: number) => `${window} × ${count}`,
    onDevice: (windows: string, device: string) => `${windows} – ${device}`,
    followsYou: 'Follows you',
    goTo: 'Go to',
    goToName: (name: string) => `Go to ${name}`,
    goToHint: 'Show where they are in the text',
    nowhere: 'Nothing is selected there',
    follow: 'Follow',
    followName: (name: string) => `Follow ${name}`,
  },
} as const
