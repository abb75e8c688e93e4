// Colours of light and dark, the same in scene and plots. Okabe and Ito's palette is told apart by
// everyone.

export const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6d4f', '#666b73'];

export interface Theme {
  dark: boolean;
  paper: string;
  sky: string;
  ink: string;
  faint: string;
  grid: string;
  gridBold: string;
  ground: string;
}

const light: Theme = {
  dark: false,
  paper: '#fbfaf7',
  sky: '#eef1f4',
  ink: '#1d232b',
  faint: '#6a7078',
  grid: '#d3d7dc',
  gridBold: '#b4bac2',
  ground: '#f4f4f1',
};

const dark: Theme = {
  dark: true,
  paper: '#171a20',
  sky: '#12151a',
  ink: '#e8eaee',
  faint: '#9aa1ab',
  grid: '#2b313a',
  gridBold: '#414955',
  ground: '#1b1f26',
};

export function wantsDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

export function themeOf(isDark: boolean): Theme {
  return isDark ? dark : light;
}
