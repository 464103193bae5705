import { render } from "preact";
import { follow } from "./state/page";
import "./style/tokens.css";
import "./style/controls.css";
import "./style/layout.css";
import "./style/cards.css";
import { App } from "./ui/app";

const host = document.getElementById("app");
if (host) render(<App />, host);
follow();
