// made by emscripten: build-live/zwang.js
declare module 'zwang.js' {
  const factory: unknown;
  export default factory;
}
