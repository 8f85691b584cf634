/// The appearance of a page: on phones, on large screens, in dark mode and on paper.
enum PageStyle {
  /// The style sheet; it loads nothing from elsewhere.
  static let text = """
    :root{color-scheme:light dark;--ink:#1d1b18;--soft:#6b655c;--line:#e3ddd3;--paper:#fffdf9;\
    --back:#f4efe6;--mark:#a8431f}
    @media(prefers-color-scheme:dark){:root{--ink:#ece7de;--soft:#a69f93;--line:#3b3731;\
    --paper:#201e1b;--back:#161513;--mark:#f09a6f}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--back);color:var(--ink);\
    font:1.0625rem/1.55 ui-serif,Georgia,"Noto Serif",serif;overflow-wrap:anywhere}
    main{max-width:60rem;margin:0 auto;padding:1rem}
    h1,h2,h3,h4,h5,h6{line-height:1.2;margin:1.4em 0 .4em;text-wrap:balance}
    h1{font-size:2rem;margin-top:.2em}
    h2{font-size:1.6rem}
    h3{font-size:1.2rem}
    h4,h5,h6{font-size:1.05rem}
    p{margin:.6em 0}
    a{color:var(--mark)}
    ul,ol{padding-inline-start:1.4em;margin:.5em 0}
    li{margin:.3em 0}
    .page{padding:0 .25rem}
    .count,.aside,figcaption,.file,footer{color:var(--soft);font-size:.9rem}
    nav ol{columns:16rem;padding-inline-start:2em}
    nav li{margin:0 0 .3em}
    .recipe,.object,.kind{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;\
    padding:1rem 1.25rem;margin:0 0 1.25rem}
    .recipe>:first-child,.object>:first-child,.kind>:first-child{margin-top:.2em}
    .inner{border-inline-start:3px solid var(--line);padding-inline-start:1rem;margin:1rem 0}
    .inner>:first-child{margin-top:0}
    p.lead{font-size:1.15rem;color:var(--soft);font-style:italic;margin-top:0}
    figure{margin:1rem 0}
    figure.lead{margin:1rem 0 1.25rem}
    img{display:block;max-width:100%;height:auto;border-radius:.5rem;background:var(--line)}
    figure.lead img{min-width:min(100%,18rem);max-height:28rem}
    .gallery{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:.75rem;\
    margin:1rem 0}
    .gallery>*{margin:0}
    .gallery img{width:100%;aspect-ratio:4/3;object-fit:contain}
    li .gallery{grid-template-columns:repeat(auto-fill,minmax(8rem,14rem))}
    dl{margin:.75rem 0}
    dl>div{display:grid;grid-template-columns:minmax(5rem,min(12rem,40%)) 1fr;gap:.25rem 1rem;padding:.2rem 0}
    dt{color:var(--soft)}
    dd{margin:0;white-space:pre-line}
    dl.facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem;padding:.6rem 0;\
    border:solid var(--line);border-width:1px 0}
    dl.facts>div{display:block;padding:0}
    dl.facts dt{font-size:.8rem}
    .columns h2{font-size:1.3rem}
    .columns h2,.columns h3{margin-top:.6em}
    .ingredients ul{list-style:none;padding:0}
    .ingredients li{padding:.35rem 0;margin:0;border-bottom:1px solid var(--line)}
    .steps li{margin:.8em 0;padding-inline-start:.3em}
    .steps li::marker{color:var(--mark);font-weight:bold}
    .steps li>p:first-child{margin-top:0}
    .steps ol>li:only-child{list-style:none;margin-inline-start:-1.4em}
    .ingredients label{display:flex;gap:.6rem;align-items:baseline}
    .ingredients input{flex:none;width:1.05rem;height:1.05rem;margin:0;transform:translateY(.1rem);accent-color:var(--mark)}
    .ingredients input:checked+span{color:var(--soft);text-decoration:line-through}
    .chapter>h2{padding:0 .25rem}
    .recipe>.part>ul{columns:12rem;column-gap:2rem}
    nav .chapter{list-style:none;counter-increment:list-item 0;font-weight:bold;margin-top:.6em}
    footer{max-width:60rem;margin:0 auto;padding:0 1.25rem 2rem}
    @media(min-width:48rem){
    main{padding:2rem}
    .recipe,.object,.kind{padding:1.5rem 2rem}
    .columns{display:grid;grid-template-columns:minmax(14rem,1fr) 2fr;gap:0 2.5rem}
    .columns>:only-child{grid-column:1/-1}
    }
    @page{margin:1.6cm 1.5cm}
    @page leaf{@bottom-center{content:counter(page)}}
    @media print{
    :root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;--back:#fff;--mark:#000}
    body{font-size:10pt;line-height:1.4}
    main{max-width:none;padding:0}
    footer,.ingredients input{display:none}
    .recipe,.object,.kind{border:0;padding:0;margin:0}
    h1,h2,h3,h4,h5,h6{break-after:avoid}
    h1{font-size:20pt}
    .recipe>h2,.recipe>h3{font-size:16pt}
    li,figure,dl>div{break-inside:avoid}
    .recipe .columns{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,9fr);gap:0 .8cm;clear:both}
    .recipe .columns>:only-child{grid-column:1/-1}
    .recipe section h2,.recipe section h3,.recipe section h4{font-size:12pt;margin:.5em 0 .3em}
    .recipe>.aside{display:none}
    .ingredients li{padding:.12rem 0}
    .steps li{margin:.4em 0}
    .recipe>figure.lead{float:right;width:34%;margin:0 0 .4cm .8cm}
    figure.lead img{min-width:0;max-height:5cm;margin-inline-start:auto}
    .gallery img{max-height:4cm}
    .cover~*{page:leaf}
    .cover{text-align:center;padding-top:8cm}
    .cover h1{font-size:30pt}
    .cover~nav,.cover~.recipe,.cover~.chapter .recipe{break-before:page}
    .chapter>h2{break-before:page;font-size:22pt}
    .cover~.chapter>h2+.recipe{break-before:auto}
    nav li{margin:0}
    nav a::after{content:leader(".") target-counter(attr(href url),page)}
    nav a,a{color:inherit;text-decoration:none}
    }
    """
}
