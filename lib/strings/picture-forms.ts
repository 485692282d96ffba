export const pictureFormsStrings = {
  altText: {
    title: 'Alt text',
    description: 'It stands for the picture where nobody can see it, and is read aloud by screen readers.',
    label: 'What does the picture show?',
    decorative: 'It only decorates: screen readers skip it.',
    save: 'Save',
  },
  fullView: {
    title: (alt: string) => (alt === '' ? 'Picture in full size' : alt),
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit to the window',
    percent: (zoom: number) => `${Math.round(zoom * 100)} %`,
  },
} as const
