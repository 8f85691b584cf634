/// The appearance of a page of differences, in addition to that of all pages.
enum DiffStyle {
  /// The style sheet; it loads nothing from elsewhere.
  static let text = """

    :root{--a:#fdecea;--a-ink:#a3261b;--a-mark:#f7bdb6;--b:#e7f5ea;--b-ink:#1c6b34;--b-mark:#abe0b9}
    @media(prefers-color-scheme:dark){:root{--a:#3a1f1c;--a-ink:#ff9b8f;--a-mark:#7d2f27;--b:#182f20;\
    --b-ink:#7fd69a;--b-mark:#23613a}}
    body{font-family:ui-sans-serif,system-ui,"Noto Sans",sans-serif;font-size:1rem}
    main{max-width:90rem}
    h2{text-wrap:wrap}
    h2 small{display:inline-block}
    h2 small,h3 small{font-weight:normal;color:var(--soft);font-size:.9rem}
    h3{font-size:1.05rem;margin:1.2em 0 .4em;text-wrap:wrap}
    h3 code{font-weight:normal}
    code,td i{color:var(--soft);font-size:.9em}
    .place{margin:.2em 0}
    .place b{display:inline-block;min-width:1.6em;text-align:center;border-radius:.3em;margin-inline-end:.4em}
    b.a{background:var(--a);color:var(--a-ink)}
    b.b{background:var(--b);color:var(--b-ink)}
    table{border-collapse:collapse;width:100%}
    th{text-align:start;font-weight:normal}
    td,th{vertical-align:top;padding:.3rem .6rem}
    .summary{width:auto;max-width:100%;margin:1rem 0 1.5rem}
    .summary td{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
    .summary thead th{color:var(--soft);text-align:end;font-size:.85rem;overflow-wrap:normal}
    .summary tbody tr{border-top:1px solid var(--line)}
    .summary .way{color:var(--soft);text-align:start}
    .summary .zero{color:var(--soft);opacity:.6}
    .tag{font-size:.75rem;padding:.1em .6em;border-radius:1em;background:var(--line);font-weight:normal;\
    white-space:nowrap;vertical-align:.1em}
    .onlyInA>h3 .tag{background:var(--a);color:var(--a-ink)}
    .onlyInB>h3 .tag{background:var(--b);color:var(--b-ink)}
    .sides{table-layout:fixed}
    .sides thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .sides col.name{width:11rem}
    .sides tbody th{color:var(--soft);font-size:.9rem;padding-inline-start:0}
    .sides td{white-space:pre-wrap;border-bottom:2px solid var(--paper)}
    td.a{background:var(--a)}
    td.b{background:var(--b)}
    td.none{background:repeating-linear-gradient(135deg,var(--line) 0 1px,transparent 1px 9px);opacity:.5}
    td.a::before,td.b::before{content:"A";float:right;color:var(--a-ink);font-size:.7rem;\
    margin-left:.6em}
    td.b::before{content:"B";color:var(--b-ink)}
    del,ins{text-decoration:none;border-radius:.2em}
    del{background:var(--a-mark)}
    ins{background:var(--b-mark)}
    .schema ul{columns:26rem;font-size:.9rem}
    .cut,.more{color:var(--soft);font-size:.9rem}
    .u{font-size:.7em;border:1px solid currentColor;border-radius:.3em;padding:0 .2em;opacity:.8;\
    unicode-bidi:isolate;white-space:nowrap}
    td figure{margin:0}
    td img{max-height:14rem;max-width:min(100%,20rem);border-radius:.3rem}
    td figcaption{font-size:.8rem}
    @media(min-width:64rem){.sides col.name{width:15rem}}
    @media(max-width:40rem){
    .recipe,.object,.kind{padding:.75rem}
    .summary{width:100%;font-size:.9rem}
    .summary .way{display:none}
    .summary td,.summary th{padding:.3rem .25rem}
    .sides,.sides tbody,.sides tr,.sides td,.sides tbody th{display:block;width:auto}
    .sides tbody th{padding:.5rem 0 .15rem}
    .sides td.none{display:none}
    }
    @media print{
    :root{--a:#fff;--b:#fff;--a-ink:#000;--b-ink:#000;--a-mark:#fff;--b-mark:#fff}
    td.a,td.b{border:1px solid #bbb}
    del{text-decoration:line-through}
    ins{text-decoration:underline}
    tr,figure{break-inside:avoid}
    h3{break-after:avoid}
    }
    """
}
